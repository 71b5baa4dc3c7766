"""Which setting and which secret stands in which section of the settings' screen. A table, nothing else."""

from __future__ import annotations

SECTIONS = {
    "counter": (
        "gateway.environment",
        "gateway.base_url",
        "gateway.merchant_pg_identifier",
        "gateway.counter_id",
        "gateway.otp_base_url",
        "gateway.ca_file",
        "gateway.qr_amount_field",
    ),
    "shop": (
        "shop.name",
        "shop.outlet_id",
        "shop.country",
        "shop.currency",
        "shop.max_amount",
        "shop.confirm_above",
        "shop.default_method",
        "scanner.into",
        "scanner.prefix",
        "scanner.suffix",
    ),
    "sign_in": (
        "otp.message",
        "otp.message_si",
        "otp.message_ta",
        "otp.message_ar",
        "sign_in.lock_after_min",
        "sign_in.session_hours",
    ),
    "payment": ("payment.give_up_s", "payment.extension_s", "gateway.verification_fail_is_final"),
    "window": (
        "window.theme",
        "window.language",
        "window.text_percent",
        "window.motion",
        "sound.on",
        "sound.volume",
        "customer_display.name",
        "customer_display.language",
    ),
    "secrets": (),
    "token": (
        "gateway.token_provider",
        "gateway.token_file",
        "gateway.token_command",
        "gateway.token_url",
        "gateway.token_client_id",
    ),
}
SECRETS = {
    "secrets": ("access_token", "merchant_secret_code", "merchant_password", "otp_access_token"),
    "token": ("token_client_secret",),
}

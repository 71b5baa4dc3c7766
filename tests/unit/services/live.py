"""The service layer opened towards a running sandbox."""

from pos_app.domain.secret import Secret
from pos_app.services.bodies import QrAmountField
from pos_app.services.deadlines import Deadlines
from pos_app.services.open import ServiceConfig, Services, TokenSource, open_services
from pos_app.services.token import StaticTokens
from tests.support.patience import PATIENCE_S
from tests.support.sandbox import Sandbox

NUMBER = "+94771234567"
PATIENT = Deadlines(**dict.fromkeys(Deadlines.__struct_fields__, PATIENCE_S))


def opened(
    sandbox: Sandbox,
    token: TokenSource | None = None,
    qr_amount_field: QrAmountField = "chargeTotal",
    password: Secret | None = None,
    deadlines: Deadlines = PATIENT,
) -> Services:
    return open_services(
        ServiceConfig(
            base_url=sandbox.base_url,
            merchant_id=sandbox.merchant_pg_identifier,
            secret_code=Secret(sandbox.merchant_secret_code),
            password=password or Secret(sandbox.merchant_password),
            token=token or StaticTokens(Secret(sandbox.access_token)),
            qr_amount_field=qr_amount_field,
            sandbox=True,
            deadlines=deadlines,
        )
    )

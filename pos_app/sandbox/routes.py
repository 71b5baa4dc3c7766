"""The list of everything the sandbox serves; it must hold no logic."""

from starlette.routing import Route, Router

from pos_app.sandbox.control import control_routes
from pos_app.sandbox.exchange import NotFound
from pos_app.sandbox.oauth import OauthEndpoint
from pos_app.sandbox.parts import Parts
from pos_app.sandbox.service import ServiceEndpoint

PAYMENT_PATH = "/apicall/walletpos/v1/pay/external/merchant/transaction"
OTP_PATH = "/apicall/openapi/one-time-password-sms/v1"

OPERATION_PATHS = {
    "get_status": f"{PAYMENT_PATH}/getstatus",
    "initiate_push": f"{PAYMENT_PATH}/initiate/push",
    "initiate_qr": f"{PAYMENT_PATH}/initiate/qr",
    "cancel": f"{PAYMENT_PATH}/cancel",
    "query": f"{PAYMENT_PATH}/query",
    "validate_code": f"{OTP_PATH}/validate-code",
    "submit_code": f"{OTP_PATH}/submit-code",
}


def make_router(parts: Parts, control_path: str, token_path: str) -> Router:
    services = [Route(path, ServiceEndpoint(name, parts)) for name, path in OPERATION_PATHS.items()]
    others = [Route(token_path, OauthEndpoint(parts)), *control_routes(parts, control_path)]
    return Router([*services, *others], redirect_slashes=False, default=NotFound())

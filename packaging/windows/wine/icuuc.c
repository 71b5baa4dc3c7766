/* What Windows 10 has and Wine 8 lacks: Qt6Core.dll is linked against Windows' own ICU. Qt asks it for a converter only
   of a text that is in none of its own encodings; the till has none such. For Wine's System32 alone. */
#define NAMED(name) \
    __declspec(dllexport) void *name(void) { return 0; }

NAMED(UCNV_FROM_U_CALLBACK_SUBSTITUTE)
NAMED(UCNV_TO_U_CALLBACK_SUBSTITUTE)
NAMED(ucnv_cbFromUWriteUChars)
NAMED(ucnv_cbToUWriteUChars)
NAMED(ucnv_close)
NAMED(ucnv_countAvailable)
NAMED(ucnv_fromUCountPending)
NAMED(ucnv_fromUnicode)
NAMED(ucnv_getAvailableName)
NAMED(ucnv_getFromUCallBack)
NAMED(ucnv_getMaxCharSize)
NAMED(ucnv_getName)
NAMED(ucnv_getStandardName)
NAMED(ucnv_getToUCallBack)
NAMED(ucnv_open)
NAMED(ucnv_reset)
NAMED(ucnv_setFromUCallBack)
NAMED(ucnv_setToUCallBack)
NAMED(ucnv_toUCountPending)
NAMED(ucnv_toUnicode)

int __stdcall DllMainCRTStartup(void *instance, unsigned reason, void *reserved) {
    (void)instance, (void)reason, (void)reserved;
    return 1;
}

"""The sign-in SMS as delivered, for everybody and by language; a shop may write its own. Each is one SMS."""

from __future__ import annotations

OTP_MESSAGE = "{{code}} is your sign-in code for the till. Tell it to nobody."

OTP_MESSAGES = {
    "si": "{{code}} ඔබේ පිවිසුම් කේතයයි. එය කිසිවෙකුට කියන්න එපා.",
    "ta": "{{code}} உங்கள் உள்நுழைவுக் குறியீடு. யாருக்கும் சொல்ல வேண்டாம்.",
    "ar": "{{code}} رمز دخولك إلى نقطة البيع. لا تخبر به أحدًا.",
}

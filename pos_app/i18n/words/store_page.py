"""What the owner's page says in English: its screens, its forms, and each problem with limit and example. No decisions."""

from __future__ import annotations

from pos_app.i18n.table import Plural, Table


class PageWords(Table):
    """The words; English until told otherwise. What a counter or a person is called stands in {places}."""

    # Every page
    SKIP = "To the content"
    ROOMS = "Screens"
    LANGUAGE = "Language"
    TIMES = "Times are those of the store’s machine ({offset})."
    DRAWN = "Drawn at {time}"
    LIVE = "Live"
    LOST = "No connection: figures as of {at}"
    STILL = "Figures as of {at}; reload for newer ones"
    TODAY, ATTENTION, COUNTERS, PEOPLE, ACTS = "Today", "Attention", "Counters", "People", "Acts"
    YOU = "Your account"
    SIGN_OUT = "Sign out"
    SHOP = "Shop"
    ALL_SHOPS = "All shops"
    SHOW = "Show"
    PRETEND = "Sandbox: no real money"
    COUNTER = "Counter"
    AMOUNT = "Amount"
    TIME = "Time"
    REASON = "Reason"
    REASON_EXAMPLE = "Terminal stolen on 7 November"
    REASON_PROBLEM = "Say why, in 3 to 200 letters, for example “{example}”."
    CANCEL = "Back"
    AS_TABLE = "As a table"

    # Signing in
    SIGN_IN = "Sign in"
    SIGN_IN_TO = "Sign in to {store}"
    NAME = "Sign-in name"
    PASSWORD = "Password"
    CODE = "Code"
    CODE_TITLE = "One more step"
    CODE_HINT = "Six digits from your authenticator app, or one of your recovery codes."
    GO_ON = "Go on"
    WRONG = "Name or password is not right."
    CODE_WRONG = "This code is not right, or it was used before. Wait for the next one in your app."
    WAIT = Plural(
        one="Too many wrong tries. Wait {count} second, then try again.",
        other="Too many wrong tries. Wait {count} seconds, then try again.",
    )
    BUSY = "Too many people are signing in at once. Try again in a few seconds."
    ENDED = "You were signed out: nothing was done here for 30 minutes, or 12 hours are over. Sign in again."
    LOST_PASSWORD = "Password lost? An owner of your shop makes a new link for you on the page “People”. An owner who lost their own asks whoever runs the store’s machine."

    # A link
    WELCOME = "Welcome, {name}"
    LINK_MORE = "Choose a password for the sign-in name {name}. This link works once."
    CHOOSE = "New password"
    CHOOSE_HINT = "At least 12 letters, digits or signs. Three or four words together are good."
    AGAIN = "New password once more"
    SET_PASSWORD = "Set the password"
    LINK_OVER = "This link was used, or it is too old. Ask for a new one."
    PASSWORD_PROBLEM = {
        "too_short": "This password is too short: choose at least 12 letters, for example three words together.",
        "too_long": "This password is too long: choose at most 128 letters.",
        "too_plain": "This password is easy to guess: it is one sign again and again, or a run of them. Choose three words together, for example.",
        "is_the_name": "This password is nearly your name. Choose three other words, for example.",
        "not_the_same": "The two passwords are not the same. Type the same one twice.",
    }

    # Second factor
    APP_TITLE = "Your authenticator app"
    APP_MORE = "Scan this code with an authenticator app on your phone. From now on signing in asks for the six digits that it shows."
    APP_TYPED = "Or type this into the app:"
    APP_CODE = "The six digits that the app shows now"
    APP_ON = "Switch it on"
    APP_NEW = "Use another app or phone"
    APP_SET = "Set up an authenticator app"
    APP_IS_ON = "Signing in asks for a code of your app."
    APP_IS_OFF = "Signing in asks for a password alone. A code of an app makes a stolen password useless."
    CODES_TITLE = "Your recovery codes"
    CODES_MORE = "Each of these signs you in once without your phone. Print them or write them down now: they are not shown again."
    CODES_LEFT = Plural(one="{count} recovery code is left.", other="{count} recovery codes are left.")
    CODES_KEPT = "I have them"

    # The account
    CHANGE_PASSWORD = "Change the password"
    OLD_PASSWORD = "The password until now"
    OLD_WRONG = "The password until now is not right."
    SAVE = "Save"
    ELSEWHERE = "Sign out everywhere else"
    SHOPS_OF_YOURS = "What you may see"
    DONE = "Done."

    # Today
    TAKEN = "Taken today"
    TAKEN_ON = "Business day {date}"
    NOTHING_TAKEN = "Nothing was taken yet."
    PAYMENTS = Plural(one="1 payment", other="{count} payments")
    OF_THEM_LATE = Plural(one="{count} of them late", other="{count} of them late")
    WITHOUT = "Without {counters}"
    SINCE = "{counter} since {time}"
    NEVER_TOLD = "{counter}, which never told anything"
    BEHIND = "{counter}, {events}"
    EVENTS_WAIT = Plural(
        one="where {count} event waits to be sent", other="where {count} events wait to be sent"
    )
    WITHOUT_MORE = "What these counters took since then is not in the sum. They go on selling, and send it when they are back."
    ALL_IN = "All counters are in this sum."
    BY_HOUR = "By hour"
    HOUR = "Hour"
    TAKEN_COLUMN = "Taken"
    COUNT_COLUMN = "Payments"
    LATE_COLUMN = "Late"
    OPEN_COLUMN = "Open"
    SEEN_COLUMN = "Last told"
    STATE_COLUMN = "State"
    IS_IN, IS_MISSING, IS_WAITING = "in touch", "not heard", "catching up"
    IS_REVOKED, IS_LEFT = "refused", "left"
    NO_COUNTERS = "No counter has joined yet. Make a joining code on the page “Counters”."
    SOLID_IS = "in time"
    HATCHED_IS = "paid late"

    # Attention
    NEEDS = "Payments that need a person"
    NEEDS_NONE = "Nothing needs you: no payment is open, disputed or paid twice."
    NEEDS_MORE = "What to do is done at the counter: no payment is changed from here."
    NEEDS_CUT = "There are more than these: the oldest of each kind are listed."
    WHAT = "What"
    AGE = "Since"
    NEXT = "Next step"
    SALE = "sale {sale}"
    KIND = {
        "open": "Open", "in_doubt": "Not known yet", "disputed": "Disputed", "unresolved": "Needs a decision", "late": "Paid late",
        "twice": "Paid twice",
    }  # fmt: skip
    STEP = {
        "open": "The counter asks the service by itself. Nothing is to be done for now.",
        "in_doubt": "The counter asks the service by itself. Do not take the payment again.",
        "disputed": "A manager compares it at the counter (F10, “Beside the service’s list”) and decides there.",
        "unresolved": "A manager decides at the counter (F8, “Open payments”), after looking at the service’s list.",
        "late": "The counter asks whether the goods were handed over or the money goes back. Answer it there.",
        "twice": "Give one of the two back. The counter shows both payments.",
    }  # fmt: skip

    # Counters
    COUNTERS_MORE = (
        "A counter sells without the store, too. What it took meanwhile comes as soon as it is back."
    )
    VERSION, WAITING, CLOCK, DISK = "Version", "Waiting", "Clock", "Free disk"
    CLOCK_RIGHT = "right"
    CLOCK_AHEAD, CLOCK_BEHIND = "{time} ahead", "{time} behind"
    JOINED = "Joined {time}"
    ADD = "Add a counter"
    ADD_MORE = "Makes a code for one counter. It works once, for 15 minutes."
    MAKE_CODE = "Make a joining code"
    CODE_FOR = "A code for a counter of {shop}"
    CODE_STEPS = "At the counter: scan this, or type"
    CODE_UNTIL = "The code works once, until {time}."
    CODE_PIN = "These signs must stand at the counter, too:"
    REFUSE = "Refuse"
    REVOKE = "Refuse this counter"
    REVOKE_TITLE = "Refuse {counter}"
    REVOKE_MORE = "From now on the store takes nothing more from this counter’s journal. What it told stays. It goes on selling: whoever has the terminal is stopped at the payment service alone."
    REVOKE_LIST = "Change now, at the service: the access token of this counter and the secrets in its settings; and at the tills: the passcodes of the people who worked at it."
    REVOKED_ON = "Refused {time}"
    INCIDENTS = "Incidents"
    INCIDENTS_NONE = "No incidents."
    INCIDENT = {
        "fork": "Two counters send as this one: its folder was copied. Both stop taking payments until one begins anew. What the second one sent is kept apart and in no sum.",
        "older": "This counter came back with an older copy of its folder. It asks the service what it forgot, and begins anew.",
        "behind": "The store knew less than this counter had told it before. It is being sent again.",
        "restored": "The store was restored from a backup. Counters send again what is missing.",
        "revoked_key": "A counter that was refused tried to send.",
        "revoked": "This counter was refused.",
        "number": "Two tills use this counter’s number: {tills}. A day is whole only with a Z of both. Give one of them another counter number in its settings, and join it again with a new code. One that is used no more leaves the store, or its key is refused there.",
    }
    INCIDENT_OTHER = "Something happened that this version of the page has no words for: {kind}."

    # Find, and a payment
    FIND = "Find"
    FIND_MORE = "All that is given has to fit. Without a time, the last 31 days are looked through."
    FIND_ID = "Receipt, id or reference"
    FIND_DIGITS = "Wallet number"
    FIND_FROM, FIND_TO = "From", "To"
    FIND_NONE = "No payment fits."
    FIND_TOO_MANY = "There are more than these: say more of the payment."
    FIND_PROBLEM = {
        "id": "Say at least one thing, at most 80 letters, for example the receipt’s number.",
        "amount": "Write the amount with a point, for example 1250.00.",
        "digits": "Write the last 2 to 15 digits, for example 567.",
        "from": "Choose a day at most 366 days before the last one, for example 2026-03-01.",
        "to": "Choose a day that is not before the first one, for example 2026-03-01.",
    }
    FIND_NO_DAY = "Choose a day from 2000 to 2100, for example 2026-03-01."
    PAYMENT = "Payment"
    RECEIPT = "Receipt"
    CHECK_CODE = "Check code"
    PRINTS = "Printed"
    TIMELINE = "As its counter told it"

    # Days
    DAYS, DAY = "Days", "Day"
    NO_Z = "no Z"
    NO_Z_OF = "Several tills used this number. Missing: {tills}"
    NOT_RIGHT = "does not add up"
    LATE_OF = "late, of {date}"
    AS_OF = "As of {time}"
    SIGNED = "signed"
    SIGNED_BY = "Signed by {who}, {time}"
    SIGN_DAY = "Sign this day"
    SIGN_MORE = "What is signed never changes. A Z that comes later stands in the next day, as late."
    SIGN_EXAMPLE = "All counters counted"
    SIGN_CHANGED = "The day changed while you looked at it. Look once more, then sign."

    # People
    PEOPLE_TITLE = "People who may read"
    PEOPLE_MORE = "They see this page. Who may sell stands at each counter."
    ROLE = "Role"
    ROLES = {"owner": "Owner", "manager": "Manager", "reader": "Reader"}
    ROLES_MORE = {
        "owner": "sees everything, adds and refuses counters and people",
        "manager": "sees everything, adds and refuses counters",
        "reader": "sees takings, attention and counters",
    }
    ADD_PERSON = "Add a person"
    PERSON_NAME = "Name"
    PERSON_EXAMPLE = "Nimali Perera"
    PERSON_PROBLEM = "Enter a name of 1 to 60 letters, for example “{example}”."
    LOGIN_HINT = "Small letters, digits, dot, hyphen: 3 to 40."
    LOGIN_PROBLEM = (
        "Enter a sign-in name of 3 to 40 small letters, digits, dots or hyphens, for example “{example}”."
    )
    LOGIN_TAKEN = "This sign-in name cannot be had. Choose another, for example “{example}”."
    ROLE_PROBLEM = "Choose one of the roles."
    SHOP_PROBLEM = "Choose one of your shops."
    LINK_FOR = "A link for {name}"
    LINK_GIVE = "Give this link to {name} alone. It works once, for 48 hours, and sets a new password."
    NEW_LINK = "New link"
    CHANGE_ROLE = "Change the role"
    TAKE_AWAY = "Take away the right to read"
    TAKE_AWAY_MORE = "From now on {name} sees nothing of {shop}."
    LAST_OWNER = "This is the shop’s only owner: make another person owner first."
    NO_LINK_YET = "has not signed in yet"
    CHANGE = "Change"
    LAST_SEEN = "Last here"
    NEVER = "never"

    # Acts
    ACTS_MORE = "Everything that was changed on this page, with who and why. The lines are chained: none can be changed or taken out unnoticed."
    ACTS_NONE = "Nothing was changed yet."
    WHO, DONE_COLUMN = "Who", "What was done"
    COMMAND_LINE = "the store’s machine"
    ACT = {
        "code_made": "made a joining code", "counter_joined": "counter joined", "counter_revoked": "refused the counter {subject}",
        "person_added": "added {subject}", "role_given": "gave {subject} another role", "right_taken": "took away the right of {subject}",
        "link_made": "made a link for {subject}", "password_set": "set a new password", "app_set": "set up an authenticator app",
        "code_used": "signed in by a recovery code", "signed_out": "signed out everywhere else",
        "language": "chose another language",
        "shop_made": "made the shop {subject}", "shop_changed": "changed the shop: {subject}",
        "restored": "put back the copy {subject}",
        "day_signed": "signed the day {subject}",
    }  # fmt: skip
    ACT_OTHER = "{kind}: {subject}"
    HEAD = "Head of the chain"
    OLDER = "Older ones"

    # What stands in a page's place
    NOT_FOUND = "There is no such page."
    NOT_ALLOWED = "Your role does not include this. Ask an owner of the shop."
    FORM_OLD = "This form was not sent from this page, or it is too old. Go back, reload, and try again."
    STORE_DOWN = "The store’s database does not answer. Counters go on selling, and nothing is lost. Try again in a minute."
    BACK_TO_START = "To the first page"


words = PageWords()

"""What the course says in English: its pages, exercises, steps, and why a slip costs money. No decisions."""

from __future__ import annotations

from pos_app.i18n.table import Plural, Table
from pos_app.training.course.scene import Decision
from pos_app.training.course.slips import Slip


class Training(Table):
    """The words; English until told otherwise. Exercises and steps by their keys in training/course.py.

    What a button is called stands in the tables of the till and the phone, and is filled in.
    """

    TITLE = "Learn the till"
    WINDOW = "Course and customer’s phone"
    INVITE = "Short exercises on this very till. Nothing here is a payment, and nothing can go wrong."
    OPEN_COURSE = "Open the course"
    LEAVE = "Leave the course"
    FOLD = "Make it small"
    UNFOLD = "Course and phone"
    SHOW_PHONE = "Show or hide the customer’s phone"

    WHO = "Who is learning?"
    WHO_MORE = "Your name keeps your results on this machine, so that you can go on another day."
    NAME = "Your name"
    NAME_EXAMPLE = "For example Kasun"
    NAME_PROBLEM = "Enter your name: 1 to 40 letters, for example Kasun."
    BEGIN = "Begin"
    KNOWN = "Who has learnt here before"

    EXERCISES = "Exercises"
    DONE = Plural(one="{count} of {all} exercise done right", other="{count} of {all} exercises done right")
    ALL_RIGHT = "All exercises done right. You are ready for the till."
    MARK_NONE = "Not tried yet"
    MARK_RIGHT = "Done right"
    MARK_SLIPPED = "Try it again"
    MARK_SPOKEN = "{title}: {mark}"
    NOT_KEPT = "The result could not be written down: {why}."

    LEARN = "You will learn"
    START = "Start the exercise"
    BACK = "All exercises"
    STEP = "Step {number} of {count}"
    PREPARING = "Getting ready"
    AGAIN = "That payment ended without money, so nothing was charged. Do this step again."
    NOTICED = "Well seen: that was another amount than the bill, and you cancelled it before any money moved. Nothing was charged."
    NOTICED_TOO = (
        "And you noticed a wrong amount before any money moved: cancelling it at once is just what to do."
    )
    CUSTOMER_SAYS = "The customer says"
    GOODS = "The goods, {money}"
    DECISION = {
        Decision.HAND_OVER: "Hand over the goods",
        Decision.NO_GOODS: "No goods, customer leaves",
        Decision.WAIT: "Ask the customer to wait",
    }
    NO_SANDBOX = "The sandbox does not answer. If it stays so, close the till and start it again."

    RIGHT_TITLE = "Right"
    SLIP_TITLE = "This would have cost money"
    REPEAT = "Do it again"
    NEXT = "Next exercise"

    SLIP = {
        Slip.HANDED_UNPAID: "The goods are gone and the shop has no money: the till did not say PAID. What a customer says, or shows on a phone, is no proof; a picture can be old or made up. Hand over when the green PAID stands on the till.",
        Slip.HANDED_REFUNDED: "The money was given back and the goods are gone too. It is one or the other: complete the sale and hand over, or refund it and keep the goods.",
        Slip.CHARGED_TWICE: "The earlier payment could still take money, or had taken it. With a second one the customer can pay twice. The shop then owes a refund, and an angry customer. Take the payment again only after the till says NOT PAID.",
        Slip.OTHER_AMOUNT: "The till asked for another amount than the bill. Too little, and the shop loses the difference; too much, and the customer was overcharged. Read the amount once more before you choose how to charge it.",
        Slip.OTHER_NUMBER: "The request went to another number than the customer said. A stranger’s phone rings, and if the stranger approves, the shop has taken somebody else’s money. Read the number back to the customer before you send.",
        Slip.SENT_AWAY_PAID: "The customer’s money was taken, and they left without goods and without a refund. They will come back, and rightly so. Look at the till’s own word for this payment before anybody leaves.",
        Slip.LEFT_OPEN: "The customer left, and the request is still open: it can be approved on the way home, for goods that are still here. Cancel it first and wait until the till says NOT PAID.",
    }
    SLIP_IN = {
        "late.charged_twice": "NOT KNOWN YET means that the first payment may still arrive, as this one would have. A second payment now, and the customer has paid 2 times for one basket. While the till says NOT KNOWN YET, ask them to wait.",
        "late.handed_unpaid": "NOT KNOWN YET is not PAID. This payment may never arrive, and then the goods are gone for nothing. Wait for the till’s word; until then the goods stay here.",
        "service_down.handed_unpaid": "A picture on a phone is no proof: it can be yesterday’s, another shop’s, or made up. Only the till’s own PAID counts. It comes by itself as soon as the service answers again.",
        "service_down.charged_twice": "The customer had already approved; only the answer to the till was lost. A second payment would have taken the money twice. While the till says NOT KNOWN YET, it keeps asking: ask the customer to wait.",
        "cancel_loses.sent_away_paid": "The money came in a moment before the cancel did. The till said PAID, so the customer has paid: hand over the goods, or let a manager refund it.",
        "cancel_loses.charged_twice": "The first payment had arrived before the cancel. The customer has paid already; a second payment takes the money twice.",
        "wrong_number.charged_twice": "The first request still rings on a stranger’s phone. If the stranger approves it and your customer pays as well, the sale is paid twice. Cancel the first one, and wait for NOT PAID.",
        "rejected.handed_unpaid": "The customer rejected the request, and the till said NOT PAID. There is no money, whatever the phone in their hand shows.",
        "restarted.charged_twice": "The payment from before the restart was still open; the till had not forgotten it. A second one can take the money twice.",
    }

    TITLES = {
        "first_qr": "First sale by QR",
        "first_push": "First request to a phone",
        "wrong_number": "The wrong number",
        "rejected": "The customer rejects",
        "no_answer": "No answer, and a queue",
        "cancel_loses": "The cancel that comes too late",
        "late": "A late payment",
        "service_down": "The service is down",
        "lock": "Lock and hand over",
        "restarted": "The till was restarted",
        "paper_out": "The printer has no paper",
        "close_day": "Close the day",
    }
    LEARNS = {
        "first_qr": "How a sale by QR goes, and which screen tells you that the money is there.",
        "first_push": "How to send a request to the customer’s phone, and to wait for the till’s word.",
        "wrong_number": "Why a request to the wrong number is cancelled before the next one is sent.",
        "rejected": "How to offer another way for the same sale, without typing it again.",
        "no_answer": "How to put a payment aside, serve the next customer, and close the first one safely.",
        "cancel_loses": "Why a payment can arrive although you cancelled it, and what you do then.",
        "late": "What NOT KNOWN YET means, and what to do when the money comes late.",
        "service_down": "Why a screenshot is no proof, and why you never charge twice when nothing answers.",
        "lock": "How to lock the till while a payment runs, and how a colleague goes on with it.",
        "restarted": "That a payment survives a restart, and that it is not taken again.",
        "paper_out": "What to do when a receipt does not print, and how a customer gets it once more.",
        "close_day": "How a day is closed by a Z report, and what its paper is for.",
    }
    RIGHTS = {
        "first_qr": "You waited for the till’s PAID before the goods left your hands. That screen is the only proof: it comes from the service itself, and never from the customer’s phone.",
        "first_push": "You read the number back, sent one request, and waited for PAID. One request, one answer, then the goods.",
        "wrong_number": "You cancelled the request on the stranger’s phone and waited for NOT PAID before you sent a new one. So only one of them could ever take money.",
        "rejected": "NOT PAID means that nothing was charged, so another way is safe. It stayed the same sale: the till watches that it is paid only once.",
        "no_answer": "You put the payment aside, and the queue moved. Then you cancelled it and waited for NOT PAID, so nobody can pay later for goods that are still here.",
        "cancel_loses": "You believed the till and not your own cancel. The money had come in first, so the sale had to be completed or refunded, and you said which.",
        "late": "You did not take the payment again while the till said NOT KNOWN YET. When the money came late, you completed or refunded it. The customer paid once.",
        "service_down": "You trusted neither the silence nor the screenshot. The answer was only late, the till went on asking, and the customer paid exactly once.",
        "lock": "The payment went on behind the lock, and its result was there for your colleague. Nobody could sell under your name meanwhile.",
        "restarted": "The till wrote the payment down before it was sent, so it found it again and asked for it. You did not take it twice.",
        "paper_out": "The payment did not wait for paper, and the till kept the receipt until there was some. What you printed the second time says COPY, so that nobody uses one receipt twice.",
        "close_day": "The takings are counted and closed; what is sold from now on is of the next day. Keep the paper: scanned later, it shows whether the till’s record was put back.",
    }

    DO = {
        "sign_in": "Sign in at the till: touch a name. The code arrives on the phone under “{sms}”.",
        "tidy": "Something from before is still open. Answer what the till asks; the rest ends by itself within some seconds.",
        "first_qr.charge": "Type {figure} on the till and touch “{qr}”.",
        "first_qr.scan": "Now be the customer: on the phone, touch “{scan}”.",
        "first_qr.approve": "Still the customer: touch “{approve}”.",
        "first_qr.wait": "Look at the till and wait for PAID. Do not trust the phone.",
        "first_qr.goods": "The till says PAID. What do you do with the goods?",
        "first_push.charge": "Type {figure}, touch “{push}”, enter {number} and send it.",
        "first_push.approve": "Be the customer: the phone rings. Touch “{approve}”.",
        "first_push.wait": "Wait for the till’s PAID.",
        "first_push.goods": "The till says PAID. What do you do with the goods?",
        "wrong_number.charge": "Type {figure}, touch “{push}”, enter {number} and send it.",
        "wrong_number.cancel": "A stranger’s phone rings now. Cancel the payment, and wait until the till says NOT PAID.",
        "wrong_number.again": "Now the right number, for the same sale: touch “{push}” on the till and enter {number}.",
        "wrong_number.wait": "The right phone rings. Wait for the till’s PAID.",
        "wrong_number.goods": "What do you do with the goods?",
        "rejected.charge": "Type {figure}, touch “{push}”, enter {number} and send it.",
        "rejected.see": "Watch the till: the customer is deciding.",
        "rejected.other": "The till says NOT PAID. Offer another way for the same sale: touch “{qr}”.",
        "rejected.wait": "The customer scans the code. Wait for the till’s PAID.",
        "rejected.goods": "What do you do with the goods?",
        "no_answer.charge": "Type {figure}, touch “{push}”, enter {number} and send it.",
        "no_answer.park": "Nobody answers, and there is a queue. Put the payment aside: touch “{park}”.",
        "no_answer.next": "Serve the next customer: type {figure} and touch “{qr}”.",
        "no_answer.next_wait": "This customer scans and pays. Wait for PAID.",
        "no_answer.next_goods": "What do you do with the second customer’s goods, {figure}?",
        "no_answer.cancel": "Back to the first one, {figure}: find it under the open payments, show it, cancel it, and wait for the till’s word.",
        "no_answer.no_goods": "What do you do with the first customer’s goods, {figure}?",
        "cancel_loses.charge": "Type {figure}, touch “{push}”, enter {number} and send it.",
        "cancel_loses.cancel": "Cancel the payment, and read what the till says then.",
        "cancel_loses.answer": "The money came first. Touch “{answer}”, and say what becomes of it.",
        "cancel_loses.goods": "You have said what becomes of the money. And the goods?",
        "late.charge": "Type {figure}, touch “{push}”, enter {number} and send it.",
        "late.give_up": "The customer opened the request and is thinking. In this exercise the till gives up after 20 seconds: read what it says then.",
        "late.tempted": "The till says NOT KNOWN YET. What do you do?",
        "late.late": "Wait, or touch “{check}”: the till goes on asking.",
        "late.answer": "The money came late. Answer the till: complete the sale, or refund it.",
        "late.goods": "You have said what becomes of the money. And the goods?",
        "service_down.charge": "Type {figure}, touch “{push}”, enter {number} and send it.",
        "service_down.doubt": "The till gets no answer and says NOT KNOWN YET. Read it.",
        "service_down.screenshot": "The customer shows you the phone. What do you do?",
        "service_down.back": "The service comes back. Wait, or touch “{check}”.",
        "service_down.goods": "What do you do with the goods?",
        "lock.charge": "Type {figure}, touch “{push}”, enter {number} and send it.",
        "lock.park": "Your shift ends. Put the payment aside: touch “{park}”.",
        "lock.lock": "Lock the till: touch the lock at the top, or press F9.",
        "lock.other": "Your colleague comes: touch “{someone_else}”, choose another name and sign in. The code arrives on the phone.",
        "lock.goods": "You are the colleague now. The payment is among the last ones below. What do you do with the goods?",
        "restarted.charge": "Type {figure}, touch “{push}”, enter {number} and send it.",
        "restarted.restart": "The power fails. Wait for the till to start again, then sign in.",
        "restarted.find": "The till asks for the payment from before. Show it, and wait for the till’s word.",
        "restarted.goods": "What do you do with the goods?",
        "paper_out.charge": "Type {figure} on the till and touch “{qr}”.",
        "paper_out.wait": "The customer scans and pays. Wait for the till’s PAID.",
        "paper_out.paper": "No receipt comes out. On the printer, touch “{no_paper}”: now there is paper. The till tries it again within half a minute; with F12 at once.",
        "paper_out.goods": "What do you do with the goods?",
        "paper_out.copy": "Print it once more: press F12 on the till, and touch “{copy}”.",
        "close_day.charge": "Type {figure} on the till and touch “{qr}”.",
        "close_day.wait": "The customer scans and pays. Wait for the till’s PAID.",
        "close_day.goods": "What do you do with the goods?",
        "close_day.close": "The shop closes. Press F10, touch “{day}”, then “{close_day}”. Only a manager may: sign in as one if you are none.",
    }
    SAYS = {
        "first_qr.charge": "{money}? I will scan it.",
        "first_push.charge": "{money}? My number is {number}.",
        "wrong_number.charge": "My number is {number}.",
        "wrong_number.cancel": "Nothing rings. Oh, I am sorry, it is {right_number}!",
        "wrong_number.again": "Yes, {number}.",
        "rejected.charge": "Send it to {number}.",
        "rejected.other": "But I have paid, look at my phone!",
        "no_answer.charge": "Send it to {number}. Where did I put my phone?",
        "no_answer.park": "Just a moment, it must be in the car.",
        "no_answer.next": "Only this, {money}. By code, please.",
        "no_answer.cancel": "I do not find my phone. I will come back tomorrow.",
        "cancel_loses.charge": "Send it to {number}.",
        "cancel_loses.cancel": "Sorry, please cancel it, I will pay in cash.",
        "cancel_loses.answer": "But you cancelled it, did you not?",
        "late.charge": "Send it to {number}.",
        "late.tempted": "It is gone from my phone. Just take it once more!",
        "late.answer": "Now it says “{success}” here.",
        "service_down.charge": "Send it to {number}.",
        "service_down.screenshot": "I did pay! Here, see for yourself.",
        "lock.charge": "Send it to {number}. It may take a moment.",
        "restarted.charge": "Send it to {number}.",
        "restarted.find": "Shall I pay again?",
        "paper_out.charge": "{money}? I need a receipt, please.",
        "paper_out.copy": "It fell into the rain. May I have it again?",
        "close_day.charge": "{money}, and you can go home.",
    }


words = Training()

"""Results of a payment, and the questions the till asks about one."""

from __future__ import annotations

from pos_app.i18n.table import CodeWords, Plural, Table


class ResultWords(Table):
    """Headlines of results and the sentences under them."""

    paid = "PAID"
    not_paid = "NOT PAID"
    not_known = "NOT KNOWN YET"
    disputed = "DO NOT HAND OVER"
    late = "LATE PAYMENT"
    paid_twice = "PAID TWICE"
    signed_off = "SIGNED OFF"
    ago = "{age} ago"
    paid_more = "The customer has paid."
    cancelled = "The payment was cancelled. Nothing was charged."
    cancelled_by_service = "The service cancelled the payment. Nothing was charged."
    not_sent = "Payment not started – nothing was sent to the customer. Check the connection and try again."
    refused = "Refused: {said} ({code})"
    refused_http = "Refused by the payment service ({code}). Nothing was charged."
    refused_checking = "We make sure that nothing was charged. One moment…"
    unknown_code = CodeWords(
        "a reason this till does not know.", "Try another way to pay, or call the manager."
    )
    do_not_repeat = "Do not take the payment again."
    in_doubt = "We do not know yet whether the customer was charged. We keep asking and will tell you here."
    unresolved = "We keep asking and will tell you here."
    no_goods = "Do not hand over goods. Manager needed."
    late_more = "Sale {sale} was paid at {time} after you gave up. Complete the sale or refund it."
    late_completed = "Paid at {time} after you gave up. {name} completed the sale: {reason}"
    late_refunded = "Paid at {time} after you gave up. {name} noted money back, outside the till: {reason}"
    crossed = "Paid before the cancel arrived: complete, or refund outside the till."
    twice_more = "Sale {sale} was paid twice. Refund one outside this terminal."
    signed_paid = "{name} signed it off as paid: {reason}"
    signed_not_paid = "{name} signed it off as not paid: {reason}"
    settled_complete = "{name} completed the sale: {reason}"
    settled_refund = "{name} noted money back, outside the till: {reason}"
    signed_off_paid = "Signed off as paid"
    signed_off_not_paid = "Signed off as not paid"
    before_restart = "Finishing a payment from before the restart (sale {sale}, {money})."
    write_down = "WRITE DOWN: sale {sale} {state} {figure}"
    checking = "Checking…"
    other_method = "Same sale, another way:"
    next_sale = "Next sale"
    any_digit = "any digit"
    done = "Done"
    leave = "Leave it on the list"
    close = "Close it safely"
    go_on = "Continue"
    answer = "Complete or refund"
    sign_refund = "Sign the refund"
    sale = "sale {sale}"
    by_qr = "QR"
    by_push = "Phone"
    next_figure = "Next: {money}"


class AskWords(Table):
    """Questions and alerts on the overlay."""

    cancel = "Cancel this payment?"
    cancel_more = (
        "{money}, sale {sale}. If the customer is paying just now, it may still arrive; "
        "the till finds out and tells you."
    )
    cancel_yes = "Cancel the payment"
    cancel_no = "Keep waiting"
    close = "Close this payment for good?"
    close_more = (
        "{money}, sale {sale}. The till makes sure with the service that it can never be paid. "
        "The customer’s phone may ring for a moment."
    )
    close_yes = "Close it"
    large = "Charge {money}?"
    large_more = "This is more than {limit}. Check the amount once more."
    large_yes = "Yes, charge it"
    go_back = "Back"
    similar = "Looks like one already open"
    similar_amount = (
        "{figure} is still open (sale {sale}, {age}). Same customer: go back and wait for that payment."
    )
    similar_number = (
        "{figure} to the same number is still open (sale {sale}, {age}). Same customer: go back and wait for "
        "that payment."
    )
    similar_yes = "Another customer"
    closing_title = "Close the till?"
    closing = Plural(
        one="A payment is still waiting: {which}.", other="{count} payments are still waiting: {which}."
    )
    closing_locked = Plural(one="A payment is still waiting.", other="{count} payments are still waiting.")
    closing_more = "Nothing is lost: the till asks about it when it is started again. Until then nobody sees whether the customer pays."
    closing_yes = "Close the till"
    closing_no = "Stay"
    name = "It is recorded under the name {name}."
    reason = "Reason"
    complete = "Complete the sale"
    refund = "Note money back"
    sign = "Sign the refund"
    keys_behind = "Digits still go to the next amount. Touch here, or press Tab, to answer."
    later = "Decide later"
    reason_complete = "The customer has the goods"
    reason_refund = "The customer wants the money back"
    details = "Payment"
    details_rows = (
        "Sale",
        "Amount",
        "Method",
        "State",
        "Started",
        "Payment id",
        "Wallet’s id",
        "Invoice",
        "Reference",
        "Added up",
    )
    cashier = "Cashier"
    ended = "Result at"
    copy = "Copy the ids"
    copied = "Copied"
    shut = "Close"

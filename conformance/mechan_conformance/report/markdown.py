"""x"""


def as_markdown(d):
    return ""

"""Who plays in the demo club. Made-up first names, in the alphabets that members write them in."""

ORGANISER = "Olivia"
NAMES = (
    *(
        "Ann",
        "Ben",
        "Cleo",
        "Jiří",
        "Ольга",
        "Șerban",
        "Димитър",
        "Zoë",
        "Łukasz",
        "Ελένη",
        "Tariq",
        "Amélie",
    ),
    *(
        "Иван",
        "Noor",
        "Björn",
        "Ruxandra",
        "Kwame",
        "Žofie",
        "Пётр",
        "Søren",
        "Inês",
        "Mihai",
        "Hana",
        "Стоян",
    ),
    *(
        "Νίκος",
        "Freya",
        "Ondřej",
        "美咲",
        "Chiara",
        "Мила",
        "Rohan",
        "Gwen",
        "Daniela",
        "Óscar",
        "Vera",
        "Боян",
    ),
    *("Yusuf", "Felix", "Lucía", "민준"),
)
PASSWORD = "point-at-the-line"  # noqa: S105 - of demo accounts only, and printed
FEWEST, MOST = 8, len(NAMES)

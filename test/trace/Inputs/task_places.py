"""Compare what the tasks of task_places.c access with what they must."""
import json
import re
import sys

PART, TASKS = 4096, 64
SLACK = 1000  # what tasks access besides the array

with open(sys.argv[1], encoding="utf-8") as file:
    places = json.load(file)["tasks"]


def expect(lines, tasks, reads, writes):
    """Of the tasks of a place, whose name has the line of their directive or of their first statement."""
    place, = (each for each in places if re.match(f"task_places.c:({lines}) ", each["name"]))
    assert place["tasks"] == sum(place["tasks_by_thread"]) == tasks, place
    assert reads <= place["reads"] < reads + SLACK, place
    assert writes <= place["writes"] < writes + SLACK, place
    for part in "local", "remote":
        assert place["where"][part] == sum(where[part] for where in place["where_by_thread"]), place


expect("31|32", 1, PART, 0)
expect("34|35", 1, PART, 0)
expect("56", TASKS, 2 * TASKS * PART, 0)
expect("23", TASKS, 0, TASKS * PART)
expect("61", 8, 0, TASKS // 2 * PART)

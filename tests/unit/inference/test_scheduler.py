"""The queue of all documents: nothing lost, nothing twice, budgets kept, turns fair, nothing waits for ever."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inference.scheduler import STARVED_S, Batch, Budget, Scheduler, Task, Urgency

BUDGET = Budget(pages=4, pixels=100, wait_s=0.02)


def task(number: int, document: str = "d", tenant: str = "t", urgency: Urgency = Urgency.NORMAL, pages: int = 1, pixels: int = 10) -> Task:
    return Task(key=(document, "s", number, number), tenant=tenant, document=document, urgency=urgency, pages=pages, pixels=pixels)


def scheduler(budget: Budget = BUDGET, max_waiting: int = 100, reserve: int = 10) -> Scheduler:
    return Scheduler(budget, max_waiting=max_waiting, express_reserve=reserve)


def drained(queue: Scheduler, now_s: float) -> list[Batch]:
    batches = []
    while (batch := queue.schedule(now_s)) is not None:
        batches.append(batch)
    return batches


TASKS = st.lists(
    st.tuples(st.sampled_from("abcde"), st.sampled_from("xy"), st.sampled_from(list(Urgency)), st.integers(1, 9), st.integers(1, 300)),
    max_size=60,
).map(lambda rows: [task(n, d, t, u, pages, pixels) for n, (d, t, u, pages, pixels) in enumerate(rows)])


@given(TASKS)
def test_everything_is_handed_out_once_within_the_budgets(tasks):
    queue = scheduler()
    for one in tasks:
        queue.add(one, 0.0)
    batches = drained(queue, 1.0)
    assert Counter(t.key for b in batches for t in b.tasks) == Counter(t.key for t in tasks)
    for batch in batches:
        fits = sum(t.pages for t in batch.tasks) <= BUDGET.pages and sum(t.pixels for t in batch.tasks) <= BUDGET.pixels
        assert fits or len(batch.tasks) == 1
    assert queue.running == len(tasks)
    for batch in batches:
        queue.update(batch)
    assert queue.running == queue.waiting == 0


@given(TASKS, st.randoms(use_true_random=False))
def test_any_course_of_events_loses_nothing_and_doubles_nothing(tasks, random):
    queue, left, now = scheduler(), list(tasks), 0.0
    out: list[Task] = []
    running: list[Batch] = []
    dropped: list[Task] = []
    while left or queue.waiting or running:
        now += random.choice([0.0, 0.005, 0.05, 70.0])
        step = random.choice(["add", "add", "schedule", "update", "drop", "drop all"])
        if step == "add" and left:
            queue.add(left.pop(), now)
        elif step == "update" and running:
            queue.update(running.pop())
        elif step == "drop all":
            document = random.choice("abcde")
            dropped += queue.drop([task.key for task in tasks if task.document == document and task not in left])
        elif step == "drop" and left:
            dropped += queue.drop([random.choice(tasks).key])
        elif (batch := queue.schedule(now)) is not None:
            running.append(batch)
            out += batch.tasks
    assert Counter(t.key for t in out + dropped) == Counter(t.key for t in tasks)


@given(TASKS)
def test_the_order_within_a_document_and_class_is_kept(tasks):
    queue = scheduler()
    for one in tasks:
        queue.add(one, 0.0)
    order = [t for b in drained(queue, 1.0) for t in b.tasks]
    for document in "abcde":
        for tenant in "xy":
            for urgency in Urgency:
                mine = [t.key[2] for t in order if (t.document, t.tenant, t.urgency) == (document, tenant, urgency)]
                assert mine == sorted(mine)


def test_a_short_document_does_not_wait_for_a_book():
    queue = scheduler(Budget(1, 100, 0.0))
    for n in range(500):
        queue.add(task(n, "book"), 0.0)
    queue.add(task(1, "letter"), 0.0)
    order = [t.document for b in drained(queue, 0.0) for t in b.tasks]
    assert order.index("letter") <= 1


def test_tenants_take_turns_whatever_their_number_of_documents():
    queue = scheduler(Budget(1, 100, 0.0), max_waiting=1000)
    for n in range(50):
        queue.add(task(n, f"many-{n}", tenant="large"), 0.0)
    for n in range(5):
        queue.add(task(n, "few", tenant="small"), 0.0)
    first = [t.tenant for b in drained(queue, 0.0) for t in b.tasks][:10]
    assert Counter(first) == {"large": 5, "small": 5}


def test_urgent_work_goes_first_until_other_work_starves():
    queue = scheduler(Budget(1, 100, 0.0))
    queue.add(task(1, "bulk", urgency=Urgency.BULK), 0.0)
    queue.add(task(2, "quick", urgency=Urgency.INTERACTIVE), 1.0)
    queue.add(task(3, "quick", urgency=Urgency.INTERACTIVE), 1.0)
    assert queue.schedule(2.0).tasks[0].document == "quick"
    assert queue.schedule(STARVED_S + 0.5).tasks[0].document == "bulk"
    assert queue.schedule(STARVED_S + 0.5).tasks[0].document == "quick"


def test_a_part_of_a_batch_waits_for_more_but_not_long():
    queue = scheduler()
    queue.add(task(1), 10.0)
    assert queue.schedule(10.01) is None
    assert len(queue.schedule(10.03).tasks) == 1
    for n in range(2, 6):
        queue.add(task(n), 20.0)
    assert len(queue.schedule(20.0).tasks) == 4


def test_a_key_that_waits_or_runs_is_refused():
    queue = scheduler()
    queue.add(task(1), 0.0)
    with pytest.raises(ValueError, match="already"):
        queue.add(task(1), 0.0)
    batch = queue.schedule(1.0)
    with pytest.raises(ValueError, match="already"):
        queue.add(task(1), 1.0)
    queue.update(batch)
    queue.add(task(1), 1.0)
    assert queue.schedule(2.0).tasks[0].key == task(1).key


def test_full_leaves_room_for_express_work():
    queue = scheduler(max_waiting=2, reserve=1)
    queue.add(task(1), 0.0)
    assert not queue.full
    queue.add(task(2), 0.0)
    assert queue.full
    assert not queue.overfull
    queue.add(task(3), 0.0)
    assert queue.overfull

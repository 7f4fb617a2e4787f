"""A model behind a chat server: what is asked, what is made of the answer, and what becomes of a server that misbehaves."""

import asyncio
import base64
import threading

import pytest

from inference.engines import chat
from inference.engines.chat import ChatClient, ChatRefused, ChatRequest
from inference.engines.child import EngineClosed
from inference.engines.generation import Completion
from inference.engines.in_process import InProcessEngine
from inference.engines.registry import engines
from inference.engines.served import DEFAULT_CAPACITY, server_capacity
from inference.guards import is_loop
from inference.types import EngineOptions, PageAnswer, PageRead, PageRefused, Unit
from schemas.errors import Code, PageloomError
from tests.unit.inference.chat_server import (
    ChatServer,
    Turn,
    breaks_off,
    chat_server,
    endless_line,
    fails,
    is_silent,
    never_ends,
    says,
    talks_nonsense,
)
from tests.unit.inference.making import unit_of as unit
from tests.waiting import wait_until

REQUEST = ChatRequest(messages=[{"role": "user", "content": "?"}], max_tokens=10, temperature=0.0, timeout_s=10.0)


def complete(server: ChatServer, request: ChatRequest = REQUEST, patience_s: float = 5.0) -> Completion:
    async def ask() -> Completion:
        client = ChatClient(server.url, "m", "secret", patience_s=patience_s, pause_s=0.01)
        try:
            return await client.complete(request, is_loop)
        finally:
            await client.close()

    return asyncio.run(ask())


def test_a_streamed_answer_is_put_together() -> None:
    with chat_server(says("Hel", "lo", logprob=-0.1)) as server:
        completion = complete(server)
    assert (completion.text, completion.finish) == ("Hello", "stop")
    assert completion.confidence == pytest.approx(0.905, abs=1e-3)
    assert server.keys == ["Bearer secret"]
    assert server.asked[0]["stream"] is True


def test_a_whole_answer_is_taken_as_well() -> None:
    body = b'{"choices": [{"message": {"content": "at once"}, "finish_reason": "stop"}]}'
    with chat_server(lambda handler: handler.reply(200, body)) as server:
        assert complete(server).text == "at once"


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_an_overloaded_server_is_asked_again(status: int) -> None:
    with chat_server(fails(status, retry_after="0"), fails(status), says("then")) as server:
        assert complete(server).text == "then"
    assert len(server.asked) == 3


def test_patience_with_an_overloaded_server_ends() -> None:
    with chat_server(fails(503)) as server, pytest.raises(ChatRefused, match="overloaded") as refused:
        complete(server, patience_s=0.2)
    assert refused.value.retryable


@pytest.mark.parametrize("turn", [fails(500), breaks_off, talks_nonsense, endless_line])
def test_a_server_that_breaks_is_asked_a_few_times(turn: Turn) -> None:
    with chat_server(turn, turn, says("third time")) as server:
        assert complete(server).text == "third time"
    with chat_server(turn) as server, pytest.raises(ChatRefused, match="3 times"):
        complete(server)
    assert len(server.asked) == chat.SERVER_FAULTS


def test_a_request_that_is_refused_is_not_repeated() -> None:
    with chat_server(fails(413)) as server, pytest.raises(ChatRefused, match="413"):
        complete(server)
    assert len(server.asked) == 1


def test_a_server_that_gives_no_probabilities_is_asked_without() -> None:
    with chat_server(fails(400), says("plain")) as server:
        completion = complete(server)
    assert (completion.text, completion.confidence) == ("plain", None)
    assert ["logprobs" in body for body in server.asked] == [True, False]


def test_a_redirect_is_not_followed() -> None:
    with chat_server(says("elsewhere")) as other, chat_server(fails(307, location=f"{other.url}/chat/completions")) as server:
        with pytest.raises(ChatRefused, match="307"):
            complete(server)
        assert not other.asked


def test_an_answer_in_a_loop_is_ended_early() -> None:
    with chat_server(never_ends("the same again ", pause_s=0.0)) as server:
        completion = complete(server)
        assert server.left.wait(10)
    assert completion.finish == "loop"
    assert len(completion.text) < 10 * chat.LOOP_CHECK_CHARS


def test_an_answer_beyond_all_bounds_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chat, "MAX_ANSWER_CHARS", 500)
    with chat_server(never_ends("no word of this is said twice in a row")) as server:
        completion = complete(server)
        assert server.left.wait(10)
    assert completion.finish == "length"
    assert 500 < len(completion.text) < 1_000


def test_lists_without_end_are_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chat, "MAX_LINE_BYTES", 1_000)
    models, slots, long = '{"data": [{"id": "m"}]}', '{"total_slots": 24}', " " * 2_000
    with chat_server(pages={"/v1/models": models, "/props": slots}) as server:
        assert chat.server_state(server.url, "m", "") == (["m"], 24)
    with chat_server(pages={"/v1/models": models + long}) as server:
        assert chat.server_state(server.url, "m", "") == (None, None)
    with chat_server(pages={"/v1/models": models, "/props": slots + long}) as server:
        assert server_capacity(EngineOptions(url=server.url)) == DEFAULT_CAPACITY


def test_an_answer_that_takes_too_long_is_given_up() -> None:
    request = ChatRequest(messages=[], max_tokens=1, temperature=0.0, timeout_s=0.3)
    with chat_server(is_silent) as server:
        with pytest.raises(ChatRefused, match=r"0\.3 s"):
            complete(server, request)
        assert server.left.wait(10)


def test_a_server_that_is_away_is_waited_for() -> None:
    with chat_server(says("x")) as server:
        gone = server.url
    client_error = pytest.raises(ChatRefused, match="cannot be reached")

    async def ask() -> Completion:
        return await ChatClient(gone, "m", patience_s=0.2, pause_s=0.01).complete(REQUEST, is_loop)

    with client_error:
        asyncio.run(ask())


@pytest.mark.parametrize(
    ("path", "body"),
    [("/get_server_info", '{"max_running_requests": 24}'), ("/props", '{"total_slots": 24}'), ("/server_info", '{"c": "max_num_seqs=24,"}')],
)
def test_capacity_is_read_from_the_server(path: str, body: str) -> None:
    listed = {"/v1/models": '{"data": []}'}
    with chat_server(pages={path: body} | listed) as server:
        assert server_capacity(EngineOptions(url=server.url)) == 24
    with chat_server(pages={path: "?"} | listed) as server:
        assert server_capacity(EngineOptions(url=server.url)) == 16


# The engine


def engine_of(server: ChatServer, **options: object) -> InProcessEngine:
    told = EngineOptions(**{"url": server.url, "model": "m", "page_timeout_s": 10.0, **options})  # type: ignore[arg-type]
    return InProcessEngine(engines(told)["openai"])


def read(engine: InProcessEngine, *units: Unit) -> list[PageAnswer]:
    try:
        return [page for answer in engine.recognize(units) for page in answer]
    finally:
        engine.close()


def texts(answer: PageAnswer) -> list[str]:
    assert isinstance(answer, PageRead), answer
    return [block.text for block in answer.content.blocks]


def test_a_page_goes_out_as_an_image_and_comes_back_as_blocks() -> None:
    with chat_server(says("# Title\n\nBody text.", logprob=-0.05)) as server:
        (answer,) = read(engine_of(server), unit(3))
    assert texts(answer) == ["Title", "Body text."]
    assert isinstance(answer, PageRead)
    assert (answer.page, answer.problems) == (3, ())
    assert answer.confidence == pytest.approx(0.951, abs=1e-3)
    picture, prompt = server.asked[0]["messages"][0]["content"]
    assert base64.b64decode(picture["image_url"]["url"].partition(",")[2]).startswith(b"\x89PNG")
    assert "Markdown" in prompt["text"]


def test_a_window_is_one_request_and_its_bad_page_is_asked_again_alone() -> None:
    window = "<PAGE><BLOCK>text[0,0,9,9]<FORK>one<PAGE><BLOCK>text[0,0,9,9]<FORK>" + "over and over " * 200
    with chat_server(says(window), says("<PAGE><BLOCK>text[0,0,9,9]<FORK>two")) as server:
        first, second = read(engine_of(server, dialect="unlimited"), unit(1, 2))
    assert (texts(first), texts(second)) == (["one"], ["two"])
    assert isinstance(second, PageRead)
    assert (second.attempts, len(server.asked)) == (2, 2)
    assert [len(body["messages"][0]["content"]) for body in server.asked] == [3, 2]
    assert [body["max_tokens"] for body in server.asked] == [16_000, 8_000]
    assert server.asked[0]["messages"][0]["content"][2]["text"].startswith("<PAGE><image><PAGE><image>")
    assert server.asked[1]["temperature"] > server.asked[0]["temperature"]


def test_a_window_that_lost_a_page_is_asked_again_page_by_page() -> None:
    with chat_server(says("<PAGE><BLOCK>text[0,0,9,9]<FORK>which?"), says("<PAGE><BLOCK>text[0,0,9,9]<FORK>alone")) as server:
        answers = read(engine_of(server, dialect="unlimited"), unit(1, 2))
    assert [texts(answer) for answer in answers] == [["alone"], ["alone"]]
    assert len(server.asked) == 3


def test_an_answer_that_is_cut_twice_is_refused() -> None:
    with chat_server(says("Half a page", finish="length")) as server:
        (answer,) = read(engine_of(server), unit(1))
    assert isinstance(answer, PageRefused)
    assert (answer.code, answer.attempts) == (Code.ENGINE_FAILED, 2)
    assert "truncated" in answer.message


def test_what_the_server_refuses_is_a_refusal_of_its_page() -> None:
    with chat_server(fails(403)) as server:
        (answer,) = read(engine_of(server), unit(5))
    assert isinstance(answer, PageRefused)
    assert "page 5" in answer.message
    assert "secret" not in answer.message


def test_the_first_model_of_the_server_is_taken_where_none_is_named() -> None:
    with chat_server(says("x"), pages={"/v1/models": '{"data": [{"id": "only-one"}]}'}) as server:
        read(engine_of(server, model=""), unit(1))
    assert server.asked[0]["model"] == "only-one"


@pytest.mark.parametrize("word", ["cancel", "kill"])
def test_what_is_being_asked_can_be_ended(word: str) -> None:
    with chat_server(is_silent) as server:
        engine, found = engine_of(server), list[object]()

        def ask() -> None:
            try:
                found.extend(engine.recognize([unit(1)]))
            except EngineClosed as closed:
                found.append(closed)

        thread = threading.Thread(target=ask)
        thread.start()
        wait_until(lambda: bool(server.asked), 10, "the question to arrive")
        getattr(engine, word)()
        thread.join(10)
        assert not thread.is_alive()
        assert server.left.wait(10)  # the server sees that nobody waits for its answer
        engine.close()
    (outcome,) = found
    if word == "kill":
        assert isinstance(outcome, EngineClosed)
    else:
        assert isinstance(outcome, tuple)
        assert [page.code for page in outcome] == [Code.CANCELLED]


def test_settings_that_cannot_work_are_an_error_of_the_worker() -> None:
    engine = InProcessEngine(engines(EngineOptions(url="", model="m"))["openai"])
    with pytest.raises(PageloomError, match="PAGELOOM_ENGINE_URL"):
        engine.recognize([unit(1)])
    engine = InProcessEngine(engines(EngineOptions(url="http://127.0.0.1:1/v1", dialect="klingon"))["openai"])
    with pytest.raises(PageloomError, match="klingon"):
        engine.recognize([unit(1)])


def test_secrets_are_in_no_representation_and_in_no_version() -> None:
    told = EngineOptions(url="http://127.0.0.1:1/v1", api_key="secret", model="m")
    assert "secret" not in repr(told)
    assert "secret" not in engines(told)["openai"].version()
    assert engines(told)["openai"].version() != engines(EngineOptions(model="m", prompt="else"))["openai"].version()

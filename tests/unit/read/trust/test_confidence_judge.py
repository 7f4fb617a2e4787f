"""The judgement as a function of numbers: bounds, order, reasons."""

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from streams.read.language.likelihood import Shift
from streams.read.trust.confidence import judge
from streams.read.trust.decoding import FontShift
from streams.read.trust.signals import PageSignals
from streams.read.trust.suspects import Suspect
from streams.read.trust.symptoms import SYMPTOMS, missing_share
from streams.read.trust.trained import trust_model

SHARES = [name for name in PageSignals.__struct_fields__ if name.endswith("_share")]
share = st.floats(0, 1)
counts = st.floats(0, 1e5)


@st.composite
def signals(draw: st.DrawFn) -> PageSignals:
    shares = {name: draw(share) for name in SHARES}
    return PageSignals(
        characters=draw(st.integers(1, 20_000)), image_cover=draw(share), stray_characters=draw(counts), stray_line_characters=draw(counts), **shares
    )


@given(signals())
def test_confidence_is_a_probability_and_every_large_loss_has_a_reason(found: PageSignals) -> None:
    verdict = judge(found)
    assert 0 <= verdict.confidence <= 1
    assert 0 <= verdict.recovered_confidence <= 1
    assert len(set(verdict.reasons)) == len(verdict.reasons)
    assert verdict.reasons or verdict.confidence > 0.8


@given(signals(), st.sampled_from([name for name in SHARES if name != "hidden_share"]), share)
def test_more_damage_never_raises_the_confidence(found: PageSignals, name: str, more: float) -> None:
    worse = msgspec.structs.replace(found, **{name: max(more, getattr(found, name))})
    assert judge(worse).confidence <= judge(found).confidence


@given(signals())
def test_missing_share_is_a_share_whatever_was_counted(found: PageSignals) -> None:
    assert 0 <= missing_share(found) <= 1


def test_page_without_symptoms_is_sound() -> None:
    verdict = judge(PageSignals(characters=2000))
    assert (verdict.reasons, verdict.blank, verdict.doubtful, verdict.regions) == ((), False, False, ())
    assert 0.95 < verdict.confidence < 1


def test_no_text_and_no_ink_is_blank_and_sure() -> None:
    verdict = judge(PageSignals(blank=True))
    assert verdict.blank
    assert verdict.confidence > 0.9
    assert verdict.reasons == ()


def test_no_text_with_ink_needs_a_model() -> None:
    verdict = judge(PageSignals(characters=0, looked=True, stray_characters=900))
    assert not verdict.blank
    assert verdict.confidence < 0.1
    assert verdict.reasons == ("no_text",)


def test_shift_is_low_as_it_stands_and_high_once_undone() -> None:
    found = FontShift("F1", Shift(offset=29, first=0, last=97))
    verdict = judge(PageSignals(characters=500, shifted_share=1.0, shifts=(found,)))
    assert verdict.reasons == ("shifted_codes",)
    assert verdict.confidence < 0.25
    assert verdict.recovered_confidence > 0.9
    partly = judge(PageSignals(characters=500, shifted_share=1.0, shifts=(found,), unmapped_share=0.05))
    assert partly.recovered_confidence < 0.5, "accented letters that no shift reaches are wrong"


def test_charts_beside_text_are_no_missing_text() -> None:
    chart = PageSignals(characters=130, image_cover=0.54, looked=True, stray_characters=450, stray_line_characters=190)
    scan = PageSignals(characters=130, image_cover=0.9, looked=True, stray_characters=1900, stray_line_characters=1800)
    assert judge(chart).confidence > 0.9
    assert judge(scan).confidence < 0.2
    assert judge(scan).reasons == ("ink_without_text",)


def test_table_of_symptoms_is_well_formed() -> None:
    assert len({symptom.name for symptom in SYMPTOMS}) == len(SYMPTOMS)
    for symptom in SYMPTOMS:
        assert symptom.knots[0] >= 0, symptom.name
        assert list(symptom.knots) == sorted(set(symptom.knots)), symptom.name
        assert len(symptom.knots) >= 2, symptom.name
        assert symptom.why


def test_the_shipped_model_fits_the_table_and_never_rewards_damage() -> None:
    model = trust_model()
    assert {symptom.name: len(symptom.knots) - 1 for symptom in SYMPTOMS} == {name: len(weights) for name, weights in model.weights.items()}
    assert all(weight >= 0 for weights in model.weights.values() for weight in weights)
    assert model.log_odds == sorted(set(model.log_odds))
    assert model.probabilities == sorted(set(model.probabilities))
    assert 0 < model.probabilities[0] < 0.05
    assert 0.95 < model.probabilities[-1] < 1


@given(signals())
def test_features_are_shares_as_many_as_weights(found: PageSignals) -> None:
    features = [stretch for symptom in SYMPTOMS for stretch in symptom.stretches(found)]
    assert len(features) == sum(map(len, trust_model().weights.values()))
    assert all(0 <= feature <= 1 for feature in features)


@given(st.floats(-50, 50), st.floats(-50, 50))
def test_calibration_keeps_the_order(first: float, second: float) -> None:
    model = trust_model()
    low, high = sorted((first, second))
    assert model.calibrated(low) <= model.calibrated(high)


def test_content_that_was_lost_is_no_blank_page() -> None:
    verdict = judge(PageSignals(content_lost=True, looked=True))
    assert not verdict.blank
    assert verdict.reasons == ("no_text", "content_lost")


def test_a_suspect_place_is_a_region_of_little_confidence() -> None:
    place = Suspect(box=(72.0, 100.0, 300.0, 160.0), reason="control_characters", characters=200)
    (region,) = judge(PageSignals(characters=3000, control_share=0.01, suspects=(place,))).regions
    assert region.bbox == place.box
    assert region.confidence < 0.5
    assert region.reasons == ("control_characters",)
    assert not region.requested

"""Makes streams/read/language/common_words.json: the words that hold sentences together, in each language that the reader can tell from garble by
them.

Origin: the ranks of the `wordfreq` 3.1.1 package (R. Speer; data CC BY-SA 4.0) for the languages that it has; for others, entered by hand.
Run once, by hand: `python -m tests.bench.build_common_words`.

Format: by language its words, space-separated, in lower case, the commonest first.
"""

import json
from pathlib import Path

from tests.bench.build_letter_triples import in_serbian

TARGET = Path(__file__).parents[2] / "streams" / "read" / "language" / "common_words.json"
LISTED = "ca cs da de en es fi fil fr hu id is it lt lv ms nb nl pl pt ro sh sk sl sv tr vi el ru uk bg mk he ar fa ur"
WORDS = 120
"""Words of a language: they are a fifth of its prose and more, of Finnish, Czech and Arabic an eighth."""
SHORTEST, SHORTEST_OF = 3, {"he": 2, "ar": 2, "fa": 2, "ur": 2, "vi": 2}
"""Letters: words of one and two letters turn into others of them when letters are interchanged."""
ENTERED = {
    "af": "die van het en is dat nie vir met wat hulle hierdie was ook maar daar word sal kan moet haar sy ons aan deur oor uit hom",
    "az": "və bu da də ya nə ilə üçün olan kimi çox olaraq isə onun daha sonra ilk hər bir edir olur ki lakin həm görə əgər artıq yeni bütün idi",
    "be": "на не да па як ад за ці што гэта для якія які яго былі была было таксама калі пры пасля або так ўсе яны можа іх каб больш толькі",
    "br": "hag evit eus gant war oa zo eo bet eur dre met pe pep holl ivez dindan etre goude hep",
    "cy": "yn ac ar gan gyda oedd mae wedi ond neu hefyd sydd cael ei eu eich dros rhwng mewn ni fel bod hwn hon drwy",
    "ceb": "sa ang mga nga usa ug niini kini alang gikan usab kay dili sila",
    "eo": "kaj estas por kun sed kiu kiuj ĉiu tio tiu ankaŭ estis oni pri dum sen post kiel plej inter ĝia nur povas",
    "et": "see oma kui aga või kes mis oli olid nende seda selle siis veel kõik nagu pärast ning ka ei et ole on koos mitte ainult",
    "eu": "eta baina dira izan zen ziren duen duten dute bat hau hori bere ere edo gabe arte baino egiten egin beste gehiago dago ditu",
    "ga": "agus leis ach bhí tá seo sin bhfuil nó gur chun faoi ina aige ann atá níos mar raibh idir féin ar ag an na den don",
    "gl": "que non para con por dos das unha mais como pola polo súa tamén cando este esta ser foi nos nas entre sobre ata",
    "ha": "da na ta ya wannan kuma cikin domin shi suka wanda yana daga zuwa",
    "ht": "nan pou yon ak ki se te yo pa li sou gen men sa moun tout",
    "jv": "ing lan sing kang saka iki kanthi uga wong ora dadi karo taun",
    "kk": "да де ма және үшін мен бір осы бұл болып деп оның болады ол бар емес керек туралы кейін сол сияқты қазақ жаңа",
    "ku": "û ji bo di de ku ev ew her jî bi ser yê yên dike dikin hatiye bû bûn lê çi wek hemû navbera",
    "la": "est non cum sed quod qui quae per etiam esse sunt enim hoc aut nec quam atque sic pro inter ante post omnia",
    "lb": "déi dat fir vun mat och wéi sech ass sinn net awer dës hir sou nach wann bei oder huet hunn gëtt",
    "mg": "ny amin dia izay ary tsy fa ho no sy mba raha izany misy ireo tamin na",
    "mi": "te ko he ki nga hei kua ka mai ana tana tenei kei mo me",
    "mt": "ta li fuq minn għal mhux dan din kien kienet ukoll kull bejn wara qabel kif jekk aktar huma hija",
    "so": "waxaa iyo ku oo ka u in wuxuu ah waa ayaa kale badan sida kuwa laga ugu iyada",
    "sq": "dhe për nga është një janë por nuk që kjo ky tek nëse ose kur mund duke deri si ishte kanë këto pas edhe",
    "su": "nu jeung di dina ieu anu ti ka pikeun salah nya éta",
    "sw": "kwa katika ya wa na ni cha za hii kama lakini pia yake huo hiyo baada kuwa yao ambayo hata au",
    "uz": "va da ga uchun bilan bir bu ham yoki shu edi emas kerak boʻlgan kabi keyin lekin uning ular har eng bo‘lib",
}  # fmt: skip
"""For languages without a list, and whose pairs of letters are strange to every table of a kin: hand-entered."""

LOREM = (
    "lorem ipsum dolor sit amet consectetur consectetuer consetetur adipiscing sadipscing elit elitr sed diam nonumy eirmod tempor invidunt "
    "labore dolore magna aliquyam aliqua erat voluptua vero eos accusam justo duo dolores rebum stet clita kasd gubergren sea takimata sanctus "
    "est eiusmod incididunt enim minim veniam quis nostrud exercitation ullamco laboris nisi aliquip commodo consequat duis aute irure "
    "reprehenderit voluptate velit esse cillum fugiat nulla pariatur excepteur sint occaecat cupidatat non proident sunt culpa qui officia "
    "deserunt mollit anim laborum aenean aliquam ante arcu auctor augue bibendum blandit condimentum congue convallis cras cursus dapibus "
    "dictum dignissim donec dui egestas eget eleifend elementum etiam euismod facilisi facilisis faucibus felis fermentum feugiat fringilla "
    "fusce gravida habitant hac hendrerit iaculis imperdiet integer interdum lacinia lacus laoreet lectus leo libero ligula lobortis luctus "
    "maecenas malesuada massa mattis mauris metus molestie morbi nam nec neque nibh nisl nullam nunc odio orci ornare pellentesque pharetra "
    "phasellus placerat porta porttitor posuere praesent pretium proin pulvinar purus quam quisque rhoncus risus rutrum sagittis sapien "
    "scelerisque sem semper senectus sociis sodales sollicitudin suscipit suspendisse tellus tempus tincidunt tortor tristique turpis ultrices "
    "ultricies urna varius vehicula vel venenatis vestibulum vitae vivamus viverra volutpat vulputate"
)
"""Words that stand in for text while a page is designed: no language, and nothing is wrong with a page of it."""


def main() -> None:
    """Writes the table."""
    import wordfreq  # noqa: PLC0415 - this script alone needs it

    made: dict[str, str] = {}
    for language in LISTED.split():
        words = wordfreq.top_n_list(language, 4 * WORDS, wordlist="best")
        shortest = SHORTEST_OF.get(language, SHORTEST)
        made[language] = " ".join([word for word in words if len(word) >= shortest and word.isalpha()][:WORDS])
    made |= ENTERED | {"sr": in_serbian(made["sh"]), "lorem": LOREM}
    TARGET.write_text(json.dumps(made, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

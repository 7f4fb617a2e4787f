"""Prose in many languages, written for these tests: about six lines each, so that a page of it has some hundred letters."""

PROSE = {
    "english": (
        "The harbour office opens at seven and closes when the last ferry has left the quay. Goods that arrive after that hour are kept in the "
        "northern shed until the following morning. Every parcel receives a number, and the clerk writes this number on two labels, one for the "
        "parcel itself and one for the sender. Whoever wants to collect a parcel shows the label and signs the book. Lost labels are replaced, "
        "but only once, and the owner must describe what the parcel contains before anybody opens it."
    ),
    "german": (
        "Die Gemeinde unterhält drei Büchereien, von denen zwei auch am Sonntag geöffnet sind. Wer ein Buch ausleihen möchte, braucht einen "
        "Ausweis, der für Kinder und Schüler nichts kostet. Die Leihfrist beträgt vier Wochen und kann zweimal verlängert werden, sofern "
        "niemand das Buch vorbestellt hat. Beschädigte Bände werden in der Werkstatt geprüft, bevor sie wieder im Regal stehen."
    ),
    "french": (
        "Le conseil se réunit chaque premier lundi du mois dans la grande salle de la mairie. Les habitants peuvent assister aux débats et "
        "poser leurs questions par écrit avant la séance. Le procès-verbal est affiché pendant quinze jours, puis conservé aux archives, où "
        "chacun peut le consulter librement. Les décisions les plus importantes sont aussi publiées dans le bulletin de la commune."
    ),
    "polish": (
        "Warsztat przyjmuje rowery do naprawy od poniedziałku do piątku, a w soboty tylko do południa. Każdy klient otrzymuje kartkę z numerem "
        "oraz przybliżoną datą odbioru. Części zamienne zamawiamy dopiero wtedy, gdy właściciel zgodzi się na cenę. Jeżeli naprawa trwa "
        "dłużej niż tydzień, można bezpłatnie wypożyczyć inny rower i oddać go przy odbiorze."
    ),
    "turkish": (
        "Köy meydanındaki eski çınarın altında her cuma günü pazar kurulur. Üreticiler sabahın erken saatlerinde gelir ve tezgâhlarını aynı "
        "yerlere açarlar. Sebze ve meyvenin yanında peynir, bal ve el işi kumaşlar da satılır. Öğleden sonra kalabalık dağılır, satıcılar "
        "kalan malları toplar ve belediye görevlileri meydanı süpürür."
    ),
    "finnish": (
        "Järven rannalla on pieni sauna, jota kylän asukkaat lämmittävät vuorotellen. Jokainen tuo mukanaan puita ja huolehtii siitä, että "
        "paikat jäävät siistiksi seuraavaa varten. Talvella avantoa pidetään auki pumpulla, ja polku jäälle hiekoitetaan joka aamu. "
        "Kesällä vene on kaikkien käytössä, kunhan nimi merkitään vihkoon."
    ),
    "vietnamese": (
        "Thư viện của trường mở cửa từ bảy giờ sáng đến chín giờ tối mỗi ngày. Sinh viên có thể mượn tối đa năm cuốn sách trong hai tuần và "
        "gia hạn một lần nếu không có ai đăng ký trước. Những người làm mất sách phải mua cuốn mới hoặc trả tiền theo giá bìa. Phòng đọc "
        "trên tầng hai dành cho những ai cần yên tĩnh."
    ),
    "russian": (
        "Музей открыт ежедневно, кроме вторника, с десяти часов утра до шести часов вечера. Билеты продаются в кассе у главного входа, а "
        "дети до семи лет проходят бесплатно. Фотографировать разрешено во всех залах, но без вспышки. По воскресеньям сотрудники проводят "
        "экскурсии для всех желающих, и заранее записываться не нужно. Вещи можно оставить в гардеробе."
    ),
    "greek": (
        "Το λεωφορείο φεύγει από την πλατεία κάθε μισή ώρα και φτάνει στο λιμάνι μετά από είκοσι λεπτά. Τα εισιτήρια πωλούνται στο περίπτερο "
        "και από τον οδηγό, που όμως δεν δίνει ρέστα για μεγάλα χαρτονομίσματα. Το καλοκαίρι προστίθενται δύο ακόμη δρομολόγια το βράδυ, "
        "ώστε οι επισκέπτες να γυρίζουν με ασφάλεια στο χωριό."
    ),
    "hebrew": (
        "הספרייה העירונית פתוחה בכל ימות השבוע מלבד שבת וחגים. כל תושב יכול להירשם ללא תשלום ולקחת עד ארבעה ספרים בכל פעם. את הספרים יש "
        "להחזיר בתוך שלושה שבועות, ומי שמאחר משלם קנס קטן. באולם הגדול מתקיימות הרצאות בימי שלישי בערב, והכניסה אליהן פתוחה לכולם."
    ),
    "arabic": (
        "تفتح المكتبة أبوابها كل صباح في الساعة الثامنة وتغلق عند غروب الشمس. يستطيع كل زائر أن يستعير ثلاثة كتب لمدة أسبوعين ويمكنه أن يجدد "
        "الإعارة مرة واحدة. توجد في الطابق الثاني قاعة هادئة للقراءة وفيها صحف ومجلات من بلدان كثيرة. ومن يفقد كتابا يدفع ثمنه أو يشتري نسخة "
        "جديدة منه."
    ),
    "persian": (
        "کتابخانه شهر هر روز از ساعت هشت صبح تا هشت شب باز است. هر عضو می‌تواند چهار کتاب را به مدت سه هفته به امانت بگیرد و یک بار آن را "
        "تمدید کند. در طبقه دوم سالن مطالعه آرامی وجود دارد که برای دانشجویان و پژوهشگران مناسب است. کسانی که کتابی را گم کنند باید بهای آن "
        "را بپردازند."
    ),
    "hindi": (
        "गाँव का पुस्तकालय हर सुबह आठ बजे खुलता है और शाम को सूरज डूबने पर बंद होता है। हर सदस्य तीन किताबें दो सप्ताह के लिए घर ले जा सकता है। "
        "जो लोग किताब खो देते हैं उन्हें उसका मूल्य देना पड़ता है। दूसरी मंज़िल पर पढ़ने के लिए शांत कमरा है जहाँ अख़बार और पत्रिकाएँ भी मिलती हैं।"
    ),
    "chinese": (
        "图书馆每天早上八点开门，晚上九点关门。每位读者可以一次借五本书，时间是三个星期，如果没有人预约，还可以再延长一次。二楼有一个安静的阅览室，里面放着很多报纸和杂志。"
        "丢了书的人要按照原来的价格付钱，或者自己去买一本新的来代替。周末下午常常有作家来这里和大家谈他们的作品，所有的人都可以参加。"
    ),
    "japanese": (
        "この図書館は毎日朝九時に開き、夕方六時に閉まります。利用者は一度に五冊まで本を借りることができ、期間は二週間です。次に待っている人がいなければ、もう一度だけ延ばすことも"
        "できます。二階には静かな部屋があり、新聞や雑誌を読むことができます。本をなくした人は、同じ本を買って返さなければなりません。日曜日には子どものための時間があります。"
    ),
    "korean": (
        "이 도서관은 매일 아침 아홉 시에 문을 열고 저녁 여덟 시에 닫는다. 회원은 한 번에 다섯 권까지 책을 빌릴 수 있으며 기간은 "
        "두 주이다. 기다리는 사람이 없으면 한 번 더 연장할 수 있다. 이층에는 조용한 열람실이 있어서 신문과 잡지를 읽을 수 있다. "
        "책을 잃어버린 사람은 같은 책을 사서 돌려주어야 한다. 주말에는 아이들을 위한 행사가 자주 열린다."
    ),
}  # fmt: skip
"""By language. Persian, Hindi, Vietnamese and Turkish are among them because few tools are tried on these."""

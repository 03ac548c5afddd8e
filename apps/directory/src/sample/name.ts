/** Names of sample users: first and last names of the same language, each with its spelling in ASCII. */

/**
 * A name is written as "native=ASCII" if removing the accents is not enough. In ASCII, a first name occurs once in its group,
 * and a last name in one group only, so handles are unique.
 */
const groups: readonly { first: string; last: string }[] = [
  {
    first: `Zoë, George, Amelia, Harry, Charlotte, Oscar, Chloë, Arthur, Imogen, Rhys, Siân, Edward, Harriet, Callum`,
    last: `Smith, Taylor, Clarke, Whitfield, Ashworth, Hughes, Bennett, Smythe-Jones, Fletcher, Lloyd, Barker`,
  },
  {
    first: `Aoife, Seán, Niamh, Pádraig, Sinéad, Ciarán, Róisín, Liam, Órla, Tomás, Gráinne, Declan, Maeve, Eoin`,
    last: `O'Brien, Murphy, O'Sullivan, Byrne, Gallagher, McCarthy, O'Neill, Ó Dálaigh, Fitzgerald, Kavanagh, Nolan`,
  },
  {
    first: `Anna, Jürgen, Käthe, Lukas, Sören, Friederike, Matthias, Änne, Karl-Heinz, Lena, Götz, Ulrike, Moritz`,
    last: `Keller, Müller, Weiß, Schröder, Groß, Köhler, Vogel, von Bülow, Hoffmann, Jäger, Lindner, Brandt, Öttinger`,
  },
  {
    first: `Élodie, Jean-Luc, Hélène, François, Zoé, Benoît, Agnès, Loïc, Maëlle, Étienne, Noémie, Gaël, Cécile, Théo`,
    last: `Lefèvre, d'Aubigné, Beaumont, Lemaître, Dupré, Garnier, Bérard, L'Huillier, Moreau, Château, Rousseau`,
  },
  {
    first: `José, María, Begoña, Iñigo, Lucía, Andrés, Ximena, Raúl, Inés, Joaquín, Pilar, Íñaki, Sofía, Martín`,
    last: `García, Muñoz, Ibáñez, Núñez, Herrera, de la Cruz, Peña, Ortega, Domínguez, Vázquez, Castaño, Ríos, Güell`,
  },
  {
    first: `João, Conceição, Tiago, Inês, Gonçalo, Luísa, Vitória, Antônio, Fátima, Caetano, Simão, Júlia, Estêvão`,
    last: `Gonçalves, Araújo, da Silva, Magalhães, Brandão, Simões, Falcão, dos Santos, Leitão, Assunção, Antunes`,
  },
  {
    first: `Giulia, Niccolò, Chiara, Matteo, Alessia, Davide, Mosè, Francesca, Lorenzo, Elisa, Noè, Beatrice, Tommaso`,
    last: `Rossi, Dell'Acqua, Bianchi, D'Angelo, Ferrero, Nicolò, Marchetti, Conti, Galli, Cantù, Moretti, De Luca`,
  },
  {
    first: `Łukasz, Małgorzata, Paweł, Agnieszka, Michał, Świętosława, Grażyna, Jędrzej, Stanisław, Bożena, Róża`,
    last: `Nowak, Wójcik, Zając, Mazur, Król, Dudek, Wróbel, Pająk, Sikora, Gołąb, Kołodziej, Kłos, Żak, Dąbek`,
  },
  {
    first: `Søren, Åsa, Bjørn, Ingrid, Håkon, Märta, Jørgen, Sigríður, Østen, Astrid, Þór=Thor, Freja, Åke`,
    last: `Ångström, Sjöberg, Ørsted, Håkansson, Lindqvist, Bjørnstad, Nygård, Dahl, Mæland, Kjær, Åkerlund, Strøm`,
  },
  {
    first: `Sanne, Joost, Daniël, Femke, Bram, Noëlle, Thijs, Lieke, Ruben, Roos, Maarten, Renée, Jeroen, Anouk`,
    last: `de Vries, van den Berg, 't Hart, Jansen, van der Meer, IJzerman, Dijkstra, Bakker, op 't Veld, Prinssen`,
  },
  {
    first: `İbrahim, Gül, Çağla, Işıl, Ömer, Şebnem, Tuğba, Emre, Ayşe, Oğuz, Nazlı, İnci, Uğur`,
    last: `Yılmaz, Şahin, Öztürk, Çelik, Kılıç, Aydın, Doğan, Işık, Güneş, Özdemir, Yıldız, İnce, Taş`,
  },
  {
    first: `Thị Hoa, Văn Hùng, Minh Châu, Đức, Ngọc Ánh, Quốc Bảo, Thanh Hương, Tuấn, Phương, Đình Khôi, Yến`,
    last: `Nguyễn, Trần, Phạm, Hoàng, Đặng, Bùi, Đỗ, Vũ`,
  },
  {
    first: `Priya, Arjun, Lakshmi, Rohan, Ananya, Vikram, Meera, Siddharth, Kavya, Imran, Nandini, Harpreet, Tejas`,
    last: `Iyer, Chatterjee, Patel, Reddy, Singh, Nair, Deshpande, Khan, Banerjee, Venkataraman, Kaul, Mehta, D'Souza`,
  },
  {
    first: `Ngozi, Chidi, Adébáyọ̀, Yétúndé, Emeka, Títílayọ̀, Ifeoma, Ọláìdé, Kwame, Abena, Obinna, Fọlákẹ́, Tunde`,
    last: `Okafor, Adéyẹmí, Nwosu, Ọláníyan, Eze, Mensah, Owusu, Balógun, Achebe, Ṣóyínká, Boateng, Danjuma`,
  },
  {
    first: `Layla, Omar, Fatima, Yusuf, Nour, Khaled, Salma, Tariq, Huda, Ziad, Rania, Sami, Amina, Bilal`,
    last: `al-Masri, Haddad, Khoury, el-Sayed, Nasser, Abd al-Rahman, Farouk, Mansour, Darwish, ben Youssef, Aziz`,
  },
  {
    first: `陽子=Yoko, 健二=Kenji, さくら=Sakura, 大輔=Daisuke, 美咲=Misaki, ケンタ=Kenta, 直美=Naomi, 翔=Sho, 結衣=Yui`,
    last: `佐藤=Sato, 鈴木=Suzuki, 𠮷田=Yoshida, 高橋=Takahashi, 渡辺=Watanabe, 小林=Kobayashi, 森=Mori, 長谷川=Hasegawa, 﨑山=Sakiyama`,
  },
  {
    first: `Wei, Xiuying, Jing, Haoran, Lǜyīn, Mingze, Yǔxuān, Jiayi, Zihan, Chen, Mei-Ling, Guowei, Ruì, Xinyi`,
    last: `Wang, Zhang, Liu, Chén, Huang, Zhào, Wú, Zhou, Lǚ, Ouyang, Zheng, Sòng`,
  },
  {
    first: `Seo-yeon, Min-jun, Ji-woo, Ha-eun, Do-yun, Soo-ah, Hyun-woo, Ye-jin, Tae-yang, Eun-ji, Jun-ho, Bo-ra`,
    last: `Kim, Lee, Park, Choi, Jung, Kang, Yoon, Namgung`,
  },
  {
    first: `Олена=Olena, Тарас=Taras, Соломія=Solomiia, Андрій=Andrii, Оксана=Oksana, Юрій=Yurii, Євген=Yevhen`,
    last: `Шевченко=Shevchenko, Коваленко=Kovalenko, Бондаренко=Bondarenko, Мельник=Melnyk, Щербак=Shcherbak`,
  },
]

export interface Name {
  firstName: string
  lastName: string
  /** ASCII, lower case and unique. It ends with a number after all names are used up. */
  handle: string
}

/** Names by user ID. Consecutive users have names of different groups; a full name repeats after all pairs of its group. */
export function names(): (id: number) => Name {
  const parsed = groups.map((group) => {
    const [first, last] = [parse(group.first), parse(group.last)]
    return { first, last, step: stepThrough(first.length * last.length) }
  })
  return (id) => {
    const round = Math.floor((id - 1) / parsed.length)
    // 7 and the number of groups have no common divisor, so every round uses each group once.
    const { first, last, step } = parsed[(id * 7 + round * 3) % parsed.length] as (typeof parsed)[number]
    const pairs = first.length * last.length
    const pair = (round * step) % pairs
    const [firstName, firstAscii] = first[pair % first.length] as Spelling
    const [lastName, lastAscii] = last[Math.floor(pair / first.length)] as Spelling
    const use = Math.floor(round / pairs) + 1
    return { firstName, lastName, handle: `${firstAscii}.${lastAscii}${use === 1 ? '' : use}` }
  }
}

type Spelling = [native: string, ascii: string]

function parse(list: string): Spelling[] {
  return list.split(', ').map((entry) => {
    const [native = entry, spelled = native] = entry.split('=')
    return [native, ascii(spelled)]
  })
}

const letters: Record<string, string> = { ł: 'l', ø: 'o', ß: 'ss', æ: 'ae', ð: 'd', þ: 'th', đ: 'd', ı: 'i' }

function ascii(text: string): string {
  const plain = text.toLowerCase().normalize('NFD')
  return plain.replace(/[^a-z-]/gu, (letter) => letters[letter] ?? '')
}

/** A step that visits every pair before it repeats one. It is large, so that consecutive names differ. */
function stepThrough(pairs: number): number {
  let step = Math.round(pairs * 0.618)
  while (greatestCommonDivisor(step, pairs) > 1) step += 1
  return step
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b)
}

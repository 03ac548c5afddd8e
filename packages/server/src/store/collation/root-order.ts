/**
 * The order of characters in the Unicode root collation (CLDR 48), for Latin, Greek and Cyrillic. If a line changes,
 * raise `sortKeyVersion`: stored sort keys are then computed again.
 */

/** White space, punctuation and symbols that are common in texts, in their order, before currency signs and digits. */
export const punctuation =
  '\t\n\v\f\r\u0085\u2028\u2029 _-‐‒–—―,;:!¡?¿‽.·\'‹›"«»()[]{}‖§¶@*/\\&#%‰‱†‡•‣‧′‵※`^°©®+±÷×<=>¬|¦~⁄'

/** Currency signs, in their order. They come between all symbols and digits. */
export const currency = '¤¢$£¥₠₡₢₣₤₥₦₩₪₫€₭₮₯₰₱₲₳₴₵₶₷₸₹₺₻₼₽₾₿'

/** Characters that differ from others only like accents. */
export const variantRules = `' << ‘ << ’ << ‚ << ‛, " << “ << ” << „ << ‟, σ << ς`

/** Letters that follow a letter from a to z, as rules (see `collation-table.ts`). */
export const latinRules = `
a < ɐ < ɑ < ɒ, b < ʙ < ƀ < ɓ < ƃ, c < ȼ < ƈ < ɕ, d < ȸ < ʣ < ʥ < ʤ < ɖ < ɗ < ƌ < ȡ,
e < ɇ < ǝ < ə < ɛ < ɘ < ɚ < ɜ < ɝ < ɞ < ʚ < ɤ, f < ʩ < ƒ, g < ɡ < ɢ < ǥ < ɠ < ʛ < ɣ < ƣ, h < ʜ < ƕ < ɦ < ɧ,
i < ı < ɪ < ɨ < ɩ, j < ȷ < ɉ < ʝ < ɟ < ʄ, k < ƙ < ʞ, l < ʪ < ʫ < ʟ < ƚ < ɫ < ɬ < ɭ < ȴ < ɮ < ƛ < ʎ, m < ɱ,
n < ɴ < ɲ < ƞ < ɳ < ȵ < ŋ, o < ɶ < ɔ < ɵ < ɷ < ȣ, p < ƥ < ɸ, q < ȹ < ʠ < ɋ < ĸ,
r < ʀ < ɍ < ɹ < ɺ < ɻ < ɼ < ɽ < ɾ < ɿ < ʁ, s < ʂ < ȿ < ʃ < ƪ < ʅ < ʆ, t < ʨ < ʦ < ʧ < ŧ < ƫ < ƭ < ʈ < ȶ < ʇ,
u < ʉ < ɥ < ʮ < ʯ < ɯ < ɰ < ʊ, v < ʋ < ʌ, w < ʍ, y < ʏ < ɏ < ƴ < ȝ,
z < ƍ < ƶ < ȥ < ʐ < ʑ < ɀ < ʒ < ƹ < ƺ < ʓ < þ < ƿ < ƻ < ƨ < ƽ < ƅ < ʔ < ɂ < ʕ < ʡ < ʢ < ʖ < ǀ < ǁ < ǂ < ǃ`

/** The letters of the Greek and the Cyrillic alphabet, in their order, after all Latin letters. */
export const greekAndCyrillic =
  'αβγδεϝͷϛζͱηθιϳκλμνξοπϻϟϙρϼστυφχψωϡͳϸϣϥϧϩϫϭϯ' +
  'аәӕбвгғӻҕӷдԁђԃҙеєжԫҗзԅԑѕӡԇиҋійјкқӄҡҟҝԟԛлӆԯԓԡљԉԕмӎнԩӊңӈԣҥњԋоөпԥҧҁрҏԗсԍҫтԏҭћуүұѹфхӽӿҳһԧѡѿѽѻцҵчԭҷӌҹҽҿџшщъыьҍѣэюяԙѥѧѫѩѭѯѱѳѵҩԝӏ'

/** Letters that differ from others only in accents, as base letters with marks between them. */
export const accented: Readonly<Record<string, string>> = {
  ß: 's\uffffs',
  æ: 'a\uffffe',
  œ: 'o\uffffe',
  ø: 'o\u0338',
  ł: 'l\u0335',
  đ: 'd\u0335',
  ħ: 'h\u0335',
  ð: 'd\ufffe',
  ґ: 'г\ufffe',
}

/** Combining marks (accents) in their order. U+FFFE and U+FFFF stand for the marks within `accented`. */
export const marks =
  '\u0332\u0313\u0314\u0301\u0300\u0306\u0302\u030c\u030a\u0342\u0308\u030b\u0303\u0307\u0338\u0327\u0328\u0304\u0336\u0337' +
  '\u0335\u0305\u0309\u030f\u0310\u0311\u031b\u0321\u0322\u0323\u0324\u0325\u0326\u032d\u032e\u0330\u0331\u0334\u0339\u0345' +
  '\u0358\u0360\u0361\ufffe\uffff'

/** The languages whose alphabets differ from the root order. If a line changes, raise `sortKeyVersion`. */
import type { Collation } from '@nomen/core'

export interface Tailoring {
  /**
   * Rules like those of CLDR, separated by commas. `c < č` makes č a letter after c. `y << ü` makes ü differ from y only
   * like an accent, and `å <<< aa` makes them differ only like case. `ș = ş` makes them equal. `end` is the end of the Latin alphabet.
   */
  readonly rules: string
  /** Strings that sort like a sequence of letters: `ccs` like `cs` `cs`. */
  readonly expansions?: Readonly<Record<string, readonly string[]>>
  /** Strings with upper-case letters that sort like others: in Turkish, I is the upper case of ı. */
  readonly upperCase?: Readonly<Record<string, string>>
  /** Whether upper case comes before lower case. */
  readonly isUpperFirst?: true
}

const danish = 'y << ü, end < æ << ä < ø << ö < å <<< aa'
const norwegian = 'y << ü, end < æ << ä < ø << ö < å << aa'
const swedish = 'y << ü, end < å < ä << æ < ö << ø'

/** A language that is not listed has the root order. */
export const tailorings: { readonly [Name in Collation]?: Tailoring } = {
  cs: { rules: 'c < č, h < ch, r < ř, s < š, z < ž', upperCase: { cH: 'ch' } },
  da: { rules: danish, isUpperFirst: true },
  es: { rules: 'n < ñ' },
  et: { rules: 's < š < z < ž, w < õ < ä < ö < ü' },
  fi: { rules: swedish },
  hr: { rules: 'c < č < ć, d < dž < đ, l < lj, n < nj, s < š, z < ž' },
  hu: {
    rules: 'c < cs, d < dz < dzs, g < gy, l < ly, n < ny, o < ö << ő, s < sz, t < ty, u < ü << ű, z < zs',
    expansions: {
      ccs: ['cs', 'cs'],
      ddz: ['dz', 'dz'],
      ddzs: ['dzs', 'dzs'],
      ggy: ['gy', 'gy'],
      lly: ['ly', 'ly'],
      nny: ['ny', 'ny'],
      ssz: ['sz', 'sz'],
      tty: ['ty', 'ty'],
      zzs: ['zs', 'zs'],
    },
  },
  lt: { rules: 'c < č, e << ę << ė, i << y, s < š, z < ž' },
  lv: {
    rules: 'a < ā, c < č, e < ē, g < ģ, i < y < ī, k < ķ, l < ļ, n < ņ, o < ō, r < ŗ, s < š, u < ū, z < ž',
  },
  nb: { rules: norwegian },
  nn: { rules: norwegian },
  pl: { rules: 'a < ą, c < ć, e < ę, l < ł, n < ń, o < ó, s < ś, z < ź < ż' },
  ro: { rules: 'a < ă < â, i < î, s < ș = ş, t < ț = ţ' },
  sk: { rules: 'a < ä, c < č, h < ch, o < ô, r < ř, s < š, z < ž', upperCase: { cH: 'ch' } },
  sl: { rules: 'c < č < ć, d < đ, s < š, z < ž' },
  sv: { rules: swedish },
  tr: { rules: 'c < ç, g < ğ, h < ı, o < ö, s < ş, u < ü', upperCase: { I: 'ı', İ: 'i' } },
}

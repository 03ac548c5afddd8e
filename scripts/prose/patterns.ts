/** Wordings that the language guide in CONTRIBUTING.md replaces, each with its replacement. */

export interface Pattern {
  readonly match: RegExp
  readonly replacement: string
}

export const patterns: readonly Pattern[] = [
  { match: /\bmend(s|ed|ing)?\b/i, replacement: 'fix' },
  { match: /\banew\b/i, replacement: 'again, or the prefix re-' },
  { match: /\bunless given\b/i, replacement: '(default: …)' },
  { match: /\bcommas between\b/i, replacement: 'comma-separated' },
  { match: /\bone[’']?s own\b/i, replacement: 'your own, or custom' },
  { match: /(?<!\bthere )\b(is|are|was|were|be) no (?!longer|more\b|effect\b|\d)/i, replacement: 'is not a …' },
  { match: /\b(is|are|was|were) (told|said)\b/i, replacement: 'an active sentence: Nomen reports …' },
  { match: /\btells? (of|how|what|whether|who|which|the same|it)\b/i, replacement: 'says, shows or reports' },
  { match: /\b(is|are|was|were|be) answered (?!by|with|under)/i, replacement: 'gets 404, or the response is 404' },
  { match: /\bgo(es)? on (serving|being|as|with|meanwhile)\b/i, replacement: 'continues, or keeps serving' },
  { match: /\bbent\b/i, replacement: 'malformed' },
  { match: /\bby heart\b/i, replacement: 'cached' },
  { match: /\bstill files\b/i, replacement: 'static files' },
  { match: /\b(whoever|whomever|whosoever)\b/i, replacement: 'callers who …, or "you"' },
  { match: /\bnobody[’']s\b/i, replacement: 'name what is missing' },
  {
    match: /\bstands? (in|at|below|beside|behind|before|between|there|alone|here|by)\b/i,
    replacement: 'is in, is at, is below',
  },
  { match: /\bso (many|long|much) (bytes|days|seconds|as|before)\b/i, replacement: 'this number of …' },
  { match: /\bwhere (there (is|are) n|it is no\b|one is not\b|that is not\b)/i, replacement: 'if …' },
  { match: /\bas (it|they) stands?\b/i, replacement: 'unchanged, or as written' },
  { match: /\b(at|of) one moment\b/i, replacement: 'one snapshot' },
  { match: /\bnone of (it|them) is\b/i, replacement: 'no … is' },
  { match: /\b(mis)?behaviour|\b(colour|honour|favour|neighbour)/i, replacement: 'the American spelling, -or' },
  {
    match:
      /\b(de|un)?(authoris|customis|initialis|materialis|maximis|minimis|normalis|optimis|organis(?!ation\b)|randomis|recognis|serialis|specialis|standardis|summaris|synchronis|utilis)(?!t|m)/i,
    replacement: 'the American spelling, -ize',
  },
  { match: /\b(un)?(label|cancel|model|signal|travel)l(ed|ing)\b/i, replacement: 'the American spelling, with one l' },
  { match: /\b(misspelt|catalogue|centre|grey|acknowledgement|judgement)s?\b/i, replacement: 'the American spelling' },
]

/** A what-clause as the subject: "What did not fit is reported." A question is not one. */
export const whatClause = /^(what|whoever|whatever|which) (?!.*\?)/i

export const longestSentence = 30

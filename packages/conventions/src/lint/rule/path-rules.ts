/** Rules of paths. */
import { type Segment, wordsOf } from '@nomen/core/openapi'
import { propertiesOf, type View } from '../view.ts'
import { camelCase, kebabCase } from '../word/words.ts'
import type { Rule } from './rule.ts'

interface PlacedSegment {
  readonly pointer: string
  readonly path: string
  readonly segment: Segment
  readonly index: number
}

/** Every segment once, however many paths go through it. */
function* segmentsOf({ table }: View): Generator<PlacedSegment> {
  const seen = new Set<string>()
  for (const { segments, path, pathPointer: pointer } of table.operations) {
    for (const [index, segment] of segments.entries()) {
      if (seen.has(segment.prefix)) continue
      seen.add(segment.prefix)
      yield { pointer, path, segment, index }
    }
  }
}

const kebab = /^[a-z0-9]+(-[a-z0-9]+)*$/
/** Words in any spelling; what has signs in it is the name of a call, not of a noun. */
const isName = (text: string) => /^[A-Za-z0-9_-]+$/.test(text)
const isVersion = (text: string) => /^v\d+$/.test(text)
const isLikeVersion = (text: string) => /^v\d+([._-]?(\d+|alpha|beta|preview)\d*)*$/i.test(text)
const isNoun = ({ text, isParameter }: Segment) =>
  !isParameter && text !== '' && !isLikeVersion(text) && !text.startsWith('by-')

/** Words that are no nouns: `import`, `merge` and `reset` are both, and so are left out. */
const verbs = new Set(
  [
    'activate add approve cancel create deactivate delete disable enable enforce fetch find generate get insert invoke modify',
    'post put redeliver regenerate reject remove rename reopen rerun resend restart resume retrieve revoke save select',
    'send submit terminate unarchive unlock unsubscribe update upsert validate verify',
  ].flatMap((line) => line.split(' ')),
)

/** What begins with a verb is a call, and has a rule of its own. */
const isThing = (segment: Segment) =>
  isNoun(segment) && isName(segment.text) && !verbs.has(wordsOf(segment.text)[0] ?? '')

const pluralPathSegment: Rule = {
  code: 'plural-path-segment',
  severity: 'error',
  about: 'A path names its nouns in the singular.',
  *check(view) {
    for (const { pointer, path, segment } of segmentsOf(view)) {
      const singular = isThing(segment) ? view.singular(segment.text) : undefined
      if (!singular) continue
      yield {
        pointer,
        message: `The segment "${segment.text}" of ${path} is plural.`,
        fix: `Call it "${kebabCase(singular)}".`,
      }
    }
  },
}

const kebabCasePathSegment: Rule = {
  code: 'kebab-case-path-segment',
  severity: 'error',
  about: 'A segment of a path is in lower kebab-case, or it is one parameter.',
  *check(view) {
    for (const { pointer, path, segment } of segmentsOf(view)) {
      if (segment.isParameter || segment.text === '' || kebab.test(segment.text) || isLikeVersion(segment.text))
        continue
      const isMixed = /[{}]/.test(segment.text)
      const words = kebabCase(wordsOf(segment.text))
      yield {
        pointer,
        message: isMixed
          ? `The segment "${segment.text}" of ${path} is partly a parameter.`
          : `The segment "${segment.text}" of ${path} is not in lower kebab-case.`,
        fix: isMixed || words === '' ? 'Let each segment be a name or one parameter.' : `Call it "${words}".`,
      }
    }
  },
}

const emptyPathSegment: Rule = {
  code: 'empty-path-segment',
  severity: 'error',
  about: 'A path has no slash at its end and no two in a row.',
  *check(view) {
    for (const { pointer, path, segment } of segmentsOf(view)) {
      if (segment.text !== '' || path === '/') continue
      yield {
        pointer,
        message: `${path} ${path.endsWith('/') ? 'ends in a slash' : 'has two slashes in a row'}.`,
        fix: `Write ${path.replace(/\/{2,}/g, '/').replace(/\/$/, '')}.`,
      }
    }
  },
}

const verbPathSegment: Rule = {
  code: 'verb-path-segment',
  severity: 'warning',
  about: 'A path names things; the method says what is done with them.',
  *check(view) {
    for (const { pointer, path, segment } of segmentsOf(view)) {
      const [verb = '', ...rest] = isNoun(segment) ? wordsOf(segment.text) : []
      if (!verbs.has(verb) || (rest.length === 0 && verb === 'post')) continue
      yield {
        pointer,
        message: `The segment "${segment.text}" of ${path} begins with the verb "${verb}".`,
        fix:
          rest.length > 0
            ? `Name the thing: "${kebabCase(rest)}".`
            : 'Name the thing, and leave the verb to the method.',
      }
    }
  },
}

const versionSegment: Rule = {
  code: 'version-segment',
  severity: 'error',
  about: 'A version is v and a whole number, and the first segment of the path.',
  *check(view) {
    for (const { pointer, path, segment, index } of segmentsOf(view)) {
      if (segment.isParameter || !isLikeVersion(segment.text) || (isVersion(segment.text) && index === 0)) continue
      const [number = ''] = segment.text.match(/\d+/) ?? []
      const isMisplaced = isVersion(segment.text)
      yield {
        pointer,
        message: isMisplaced
          ? `The version "${segment.text}" does not stand at the beginning of ${path}.`
          : `The version "${segment.text}" of ${path} is not v and a whole number.`,
        fix: isMisplaced
          ? `Let the path begin with /${segment.text}; what stands before it belongs to the address of the server.`
          : `Call it "v${number}".`,
      }
    }
  },
}

const lookupPath: Rule = {
  code: 'lookup-path',
  severity: 'error',
  about: 'A record is looked up at by-{property}/{value}, by GET, and the property is one of the record.',
  *check(view) {
    for (const operation of view.table.operations) {
      const { segments, method, path, pointer } = operation
      const at = segments.findIndex(({ text }) => /^by-./.test(text))
      if (at === -1) continue
      const text = segments[at]?.text ?? ''
      if (!segments[at + 1]?.isParameter) {
        yield { pointer, message: `No parameter follows "${text}" in ${path}.`, fix: `Write …/${text}/{value}.` }
        continue
      }
      if (at + 2 < segments.length) continue
      if (method !== 'get') {
        yield {
          pointer,
          message: `${method.toUpperCase()} ${path} changes a record that it looks up by another property than its identity.`,
          fix: 'Change it at the path with its identity.',
        }
        continue
      }
      const name = camelCase(wordsOf(text.slice('by-'.length)))
      const properties = propertiesOf(operation)
      if (!properties || [...properties.keys()].some((one) => camelCase(wordsOf(one)) === name)) continue
      yield {
        pointer,
        message: `${path} looks up by "${name}", which the record does not have.`,
        fix: 'Name a property of the record, in kebab-case.',
      }
    }
  },
}

export const pathRules: readonly Rule[] = [
  pluralPathSegment,
  kebabCasePathSegment,
  emptyPathSegment,
  verbPathSegment,
  versionSegment,
  lookupPath,
]

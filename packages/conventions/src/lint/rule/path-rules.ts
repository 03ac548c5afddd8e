/** Rules for paths. */
import { type Segment, wordsOf } from '@nomen/core/openapi'
import { propertiesOf, type View } from '../view.ts'
import { verbs } from '../word/verbs.ts'
import { camelCase, kebabCase } from '../word/words.ts'
import type { Rule } from './rule.ts'

interface LocatedSegment {
  readonly pointer: string
  readonly path: string
  readonly segment: Segment
  readonly index: number
}

/** Every segment once, even if several paths contain it. */
function* segmentsOf({ table }: View): Generator<LocatedSegment> {
  const prefixes = new Set<string>()
  for (const { segments, path, pathPointer: pointer } of table.operations) {
    for (const [index, segment] of segments.entries()) {
      if (prefixes.has(segment.prefix)) continue
      prefixes.add(segment.prefix)
      yield { pointer, path, segment, index }
    }
  }
}

const kebabPattern = /^[a-z0-9]+(-[a-z0-9]+)*$/
/** Words in any notation. A segment with other characters is not the name of a noun. */
const isName = (text: string) => /^[A-Za-z0-9_-]+$/.test(text)
const isVersion = (text: string) => /^v\d+$/.test(text)
const isLikeVersion = (text: string) => /^v\d+([._-]\d+|[._-]?(alpha|beta|preview)\d*)*$/i.test(text)
const isNoun = ({ text, isParameter }: Segment) =>
  !isParameter && text !== '' && !isLikeVersion(text) && !text.startsWith('by-')

/** Names that start with a verb have a separate rule. */
const isNounName = (segment: Segment) =>
  isNoun(segment) && isName(segment.text) && !verbs.has(wordsOf(segment.text)[0] ?? '')

const pluralPathSegment: Rule = {
  code: 'plural-path-segment',
  severity: 'error',
  about: 'Nouns in paths must be singular.',
  *check(view) {
    for (const { pointer, path, segment } of segmentsOf(view)) {
      const singular = isNounName(segment) ? view.singular(segment.text) : undefined
      if (!singular) continue
      yield {
        pointer,
        message: `The segment "${segment.text}" of ${path} is plural.`,
        fix: `Rename it to "${kebabCase(singular)}".`,
      }
    }
  },
}

const kebabCasePathSegment: Rule = {
  code: 'kebab-case-path-segment',
  severity: 'error',
  about: 'A path segment must be a name in lower kebab-case or one parameter.',
  *check(view) {
    for (const { pointer, path, segment } of segmentsOf(view)) {
      if (segment.isParameter || segment.text === '' || kebabPattern.test(segment.text) || isLikeVersion(segment.text))
        continue
      const isMixed = /[{}]/.test(segment.text)
      const words = kebabCase(wordsOf(segment.text))
      yield {
        pointer,
        message: isMixed
          ? `The segment "${segment.text}" of ${path} mixes text and a parameter.`
          : `The segment "${segment.text}" of ${path} is not in lower kebab-case.`,
        fix: isMixed || words === '' ? 'Make each segment a name or one parameter.' : `Rename it to "${words}".`,
      }
    }
  },
}

const emptyPathSegment: Rule = {
  code: 'empty-path-segment',
  severity: 'error',
  about: 'A path must not have a trailing slash or a double slash.',
  *check(view) {
    for (const { pointer, path, segment } of segmentsOf(view)) {
      if (segment.text !== '' || path === '/') continue
      yield {
        pointer,
        message: `${path} has a ${path.endsWith('/') ? 'trailing' : 'double'} slash.`,
        fix: `Write ${path.replace(/\/{2,}/g, '/').replace(/\/$/, '')}.`,
      }
    }
  },
}

/** With these words, a verb is part of a noun: `add-on`, `check-in`, `start-up`. */
const particles = new Set(['on', 'in', 'up', 'out', 'off'])

const verbPathSegment: Rule = {
  code: 'verb-path-segment',
  severity: 'warning',
  about: 'A path must name resources, and the method is the verb.',
  *check(view) {
    for (const { pointer, path, segment } of segmentsOf(view)) {
      const [verb = '', ...noun] = isNoun(segment) ? wordsOf(segment.text) : []
      if (!verbs.has(verb) || (noun.length === 0 && verb === 'post') || particles.has(noun[0] ?? '')) continue
      yield {
        pointer,
        message: `The segment "${segment.text}" of ${path} starts with the verb "${verb}".`,
        fix:
          noun.length > 0
            ? `Rename it to "${kebabCase(view.singular(kebabCase(noun)) ?? noun)}".`
            : 'Replace it with the name of a resource, and use the method as the verb.',
      }
    }
  },
}

const versionSegment: Rule = {
  code: 'version-segment',
  severity: 'error',
  about: 'A version must be "v" followed by an integer, and the first segment of the path.',
  *check(view) {
    for (const { pointer, path, segment, index } of segmentsOf(view)) {
      if (segment.isParameter || !isLikeVersion(segment.text) || (isVersion(segment.text) && index === 0)) continue
      const [number = ''] = segment.text.match(/\d+/) ?? []
      const isMisplaced = isVersion(segment.text)
      yield {
        pointer,
        message: isMisplaced
          ? `The version "${segment.text}" is not the first segment of ${path}.`
          : `The version "${segment.text}" of ${path} is not "v" followed by an integer.`,
        fix: isMisplaced
          ? `Start the path with /${segment.text}, and move the prefix to the URL of the server.`
          : `Rename it to "v${number}".`,
      }
    }
  },
}

const lookupPath: Rule = {
  code: 'lookup-path',
  severity: 'error',
  about: 'A lookup by a property of the record must be a GET whose path ends with by-{property}/{value}.',
  *check(view) {
    for (const operation of view.table.operations) {
      const { segments, method, path, pointer } = operation
      const index = segments.findIndex(({ text }) => /^by-./.test(text))
      if (index === -1) continue
      const text = segments[index]?.text ?? ''
      if (!segments[index + 1]?.isParameter) {
        yield { pointer, message: `${path} has no parameter after "${text}".`, fix: `Write …/${text}/{value}.` }
        continue
      }
      if (index + 2 < segments.length) continue
      if (['post', 'put', 'patch', 'delete'].includes(method)) {
        yield {
          pointer,
          message: `${method.toUpperCase()} ${path} changes a record at the path of a lookup.`,
          fix: 'Use the path with the ID.',
        }
        continue
      }
      const name = camelCase(wordsOf(text.slice('by-'.length)))
      const properties = method === 'get' ? propertiesOf(operation) : undefined
      if (!properties || [...properties.keys()].some((property) => camelCase(wordsOf(property)) === name)) continue
      yield {
        pointer,
        message: `${path} looks up by "${name}", which is not a property of the record.`,
        fix: 'Use a property of the record, in kebab-case.',
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

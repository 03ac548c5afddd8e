/** Identifiers in generated files. */

const words = (all: string) => all.split(' ')

/** Reserved words, and other identifiers of the generated files. */
const reserved = new Set([
  ...words('arguments await break case catch class const continue debugger default delete do else enum eval export'),
  ...words('extends false finally for function if implements import in instanceof interface let new null package'),
  ...words('private protected public return static super switch this throw true try typeof undefined var void while'),
  ...words('with yield process console fetch globalThis'),
  ...words('boolean choice createdAt date decimal email guid identity integer noun number reference text timestamp'),
  ...words(
    'updatedAt url link range api resource service sample data mock mocksOf client open opened server setupServer',
  ),
  ...words('afterAll afterEach beforeAll expect it results pageInfo created response'),
])

/** `cost-center` becomes `costCenter`; a reserved name gets the suffix: `classNoun`. */
export function identifierOf(name: string, suffix: 'Noun' | 'Api', usedIdentifiers: Iterable<string> = []): string {
  const camel = name.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
  return reserved.has(camel) || [...usedIdentifiers].includes(camel) ? `${camel}${suffix}` : camel
}

/** The property of a noun in the client: `.costCenter`, or `['level-2']` for a hyphen before a digit. */
export function clientProperty(noun: string): string {
  const camel = noun.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
  return camel.includes('-') ? `['${camel}']` : `.${camel}`
}

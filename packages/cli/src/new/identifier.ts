/** The names that generated files give to what they declare. */

const words = (all: string) => all.split(' ')

/** Words of the language, and what the generated files call otherwise. */
const taken = new Set([
  ...words('arguments await break case catch class const continue debugger default delete do else enum eval export'),
  ...words('extends false finally for function if implements import in instanceof interface let new null package'),
  ...words('private protected public return static super switch this throw true try typeof undefined var void while'),
  ...words('with yield process console fetch globalThis'),
  ...words('choice createdAt date decimal email flag guid identity integer noun number reference text timestamp'),
  ...words(
    'updatedAt url link range api resource service sample data mock mocksOf client open opened server setupServer',
  ),
  ...words('afterAll afterEach beforeAll expect it results pageInfo made found refused'),
])

/** `cost-center` gives `costCenter`; a name that means something else in the files gets the suffix: `classNoun`. */
export function identifierOf(name: string, suffix: 'Noun' | 'Api', others: Iterable<string> = []): string {
  const camel = name.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
  return taken.has(camel) || [...others].includes(camel) ? `${camel}${suffix}` : camel
}

/** How the client is asked for a noun: `.costCenter`, and `['level-2']` where a hyphen stands before a digit. */
export function clientProperty(noun: string): string {
  const camel = noun.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
  return camel.includes('-') ? `['${camel}']` : `.${camel}`
}

/** Runs examples of a page that are not whole files: each is the body of a function, and the test gives it the names that it uses. */
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { blocksOf } from './block.ts'
import { root } from './root.ts'

type Names = Readonly<Record<string, unknown>>

const AsyncFunction = (async () => {}).constructor as FunctionConstructor

/** Runs code with these names. Returns its own constants, and its default export as `exported`. */
export async function runExample(code: string, names: Names): Promise<Record<string, unknown>> {
  const script = stripTypeScriptTypes(code)
    .replaceAll(/^import .*$/gm, '')
    .replaceAll(/^export default /gm, 'const exported = ')
    .replaceAll(/^export (?=const )/gm, '')
  const constants = [...script.matchAll(/^const (\w+)/gm)].map(([, name]) => name)
  // A constant of the example may have the name of an export that it does not use.
  const own = Object.entries(names).filter(([name]) => !constants.includes(name))
  const run = new AsyncFunction(...own.map(([name]) => name), `${script}\nreturn { ${constants} }`)
  return run(...own.map(([, value]) => value))
}

/** Returns a function that runs the example of a page which contains a text. */
export function examplesOn(page: string) {
  const blocks = blocksOf(readFileSync(join(root, page), 'utf8'))
  return (text: string, names: Names = {}): Promise<Record<string, unknown>> => {
    const block = blocks.find(({ language, code }) => language === 'ts' && code.includes(text))
    if (!block) throw new Error(`${page} has no example with ${text}.`)
    return runExample(block.code, names)
  }
}

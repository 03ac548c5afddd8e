/** Finds blocks of a page, and runs examples that are not whole files: the body of a function, whose names the test defines. */
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { type Block, blocksOf } from './block.ts'
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

function blocksOn(page: string): readonly Block[] {
  return blocksOf(readFileSync(join(root, page), 'utf8'))
}

/** The code of the block of a page that begins with a text. */
export function codeOn(page: string, start: string): string {
  const block = blocksOn(page).find(({ code }) => code.startsWith(start))
  if (!block) throw new Error(`${page} has no block that begins with ${start}.`)
  return block.code
}

/** Returns a function that runs the example of a page which contains a text. */
export function examplesOn(page: string) {
  const blocks = blocksOn(page)
  return (text: string, names: Names = {}): Promise<Record<string, unknown>> => {
    const block = blocks.find(({ language, code }) => language === 'ts' && code.includes(text))
    if (!block) throw new Error(`${page} has no example with ${text}.`)
    return runExample(block.code, names)
  }
}

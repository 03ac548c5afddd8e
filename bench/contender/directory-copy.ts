/**
 * The directory without its history and webhooks, so that figures compare services that do the same. The history has its own
 * benchmark, `npm run bench:history`.
 */
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const removed = /\bhistory: true,?|\bresource\(change\),?|^ *webhooks,$/gm
const leftOver = /\bhistory\b|\bresource\(change\b|^ *webhooks\b/m

/** Copies the directory of a checkout into its folder `.bench`, and returns the folder of the copy. */
export function directoryCopy(checkout: string): string {
  const original = join(checkout, 'apps/directory')
  const copy = join(checkout, '.bench/directory')
  // A copied test would be one more for `npm test`.
  const isCopied = (path: string) => !path.endsWith('.test.ts')
  for (const part of ['service.ts', 'src']) {
    cpSync(join(original, part), join(copy, part), { recursive: true, filter: isCopied })
  }
  for (const part of ['src/nouns.ts', 'src/apis.ts']) {
    const text = readFileSync(join(original, part), 'utf8').replaceAll(removed, '')
    if (leftOver.test(text))
      throw new Error(`${part} declares history in an unknown form. Extend the pattern in ${import.meta.filename}.`)
    writeFileSync(join(copy, part), text)
  }
  return copy
}

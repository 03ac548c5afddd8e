import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { verdictOf } from '../src/diff/code.ts'
import { changeCodes, diff, type OpenApiDocument } from '../src/index.ts'
import { baseDocument, edited, isThere } from './base-document.ts'
import { constantRows, twoChoiceRows, withConstants, withTwoChoices } from './diff-table/alternative.ts'
import { discriminatorRows, withDiscriminator } from './diff-table/discriminator.ts'
import { objectParameterRows, withObjectParameter } from './diff-table/object-parameter.ts'
import { schemeUrlRows, withSchemeUrls } from './diff-table/security.ts'
import { rows } from './diff-table/table.ts'
import { webhookRows, withWebhook } from './diff-table/webhook.ts'

/** The codes of all changes with their verdicts. Checks that the pointer of each change exists. */
function changesOf(old: OpenApiDocument, next: OpenApiDocument): readonly string[] {
  const { changes } = diff(old, next)
  for (const change of changes) {
    expect(isThere(change.document === 'old' ? old : next, change.pointer), `${change.code} ${change.pointer}`).toBe(
      true,
    )
    expect(change.message).toMatch(/^.+\.$/)
  }
  return [...new Set(changes.map(({ code, isBreaking }) => `${isBreaking ? 'breaking' : 'compatible'} ${code}`))].sort()
}

describe('a single change', () => {
  const base = baseDocument()

  it.each(rows)('is classified: $name', ({ edits, forward }) => {
    expect(changesOf(base, edited(base, edits))).toEqual(forward)
  })

  it.each(rows)('is classified in reverse: $name', ({ edits, backward }) => {
    expect(changesOf(edited(base, edits), base)).toEqual(backward)
  })
})

describe.each([
  ['a discriminator', withDiscriminator, discriminatorRows],
  ['two choices between alternatives', withTwoChoices, twoChoiceRows],
  ['objects that differ in a constant', withConstants, constantRows],
  ['an object in the query, or a value of several types', withObjectParameter, objectParameterRows],
  ['a security scheme with URLs', withSchemeUrls, schemeUrlRows],
  ['a webhook, a callback or an operation of OpenAPI 3.2', withWebhook, webhookRows],
])('a change of %s', (_, edits, ownRows) => {
  const base = edited(baseDocument(), edits)

  it.each(ownRows)('is classified in both directions: $name', ({ edits, forward, backward }) => {
    expect(changesOf(base, edited(base, edits))).toEqual(forward)
    expect(changesOf(edited(base, edits), base)).toEqual(backward)
  })
})

describe('docs/diff.md', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/diff.md'), 'utf8')
  const [, codes = '', differences = ''] = page.split(/^## (?:Codes|Differences from oasdiff)$/m)
  const linesOf = (part: string) => [
    ...part.matchAll(/^\| `([a-z-]+)` \| (breaking|compatible) \| (ERR|WARN|INFO|–) \| (.+) \|$/gm),
  ]

  it('lists every code with its verdict and its reason', () => {
    const documented = linesOf(codes).map(([, code, verdict, , why]) => `${verdict} ${code}: ${why}`)
    const known = changeCodes.map((code) => {
      const { isBreaking, why } = verdictOf(code)
      return `${isBreaking ? 'breaking' : 'compatible'} ${code}: ${why}`
    })
    expect(documented).toEqual(known)
  })

  it('explains every verdict that differs from oasdiff', () => {
    const differ = linesOf(codes).filter(([, , verdict, level]) => {
      return verdict === 'breaking' ? level !== 'ERR' : level === 'ERR' || level === 'WARN'
    })
    const shown = (lines: readonly RegExpMatchArray[]) => lines.map((line) => line.slice(1, 4).join(' '))
    expect(shown(linesOf(differences))).toEqual(shown(differ))
    expect(differ.length).toBeGreaterThan(0)
  })

  it('has only codes that the table of single changes or the version tests cover', () => {
    const known = new Set(
      [...rows, ...webhookRows]
        .flatMap(({ forward, backward }) => [...forward, ...backward])
        .map((line) => line.split(' ')[1]),
    )
    const rest = changeCodes.filter((code) => !known.has(code) && !/^(version|sunset)-/.test(code))
    expect(rest).toEqual(['path-parameter-renamed'])
  })
})

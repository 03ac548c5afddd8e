import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { changeCodes, diff, type OpenApiDocument } from '../src/index.ts'
import { baseDocument, edited, isThere } from './base-document.ts'
import { rows } from './diff-table.ts'

/** The codes of all changes with their verdicts; every one of them points at something. */
function changesOf(old: OpenApiDocument, next: OpenApiDocument): readonly string[] {
  const { changes } = diff(old, next)
  for (const change of changes) {
    expect(isThere(change.document === 'old' ? old : next, change.pointer), `${change.code} ${change.pointer}`).toBe(
      true,
    )
    expect(change.message).toMatch(/^.+\.$/)
  }
  return [...new Set(changes.map(({ code, isBreaking }) => `${isBreaking ? 'breaks' : 'keeps'} ${code}`))].sort()
}

describe('a single change', () => {
  const base = baseDocument()

  it.each(rows)('is known: $name', ({ edits, there }) => {
    expect(changesOf(base, edited(base, edits))).toEqual(there)
  })

  it.each(rows)('is known the other way round: $name', ({ edits, back }) => {
    expect(changesOf(edited(base, edits), base)).toEqual(back)
  })
})

describe('every code', () => {
  it('is explained in docs/diff.md with its verdict, and no other is', () => {
    const page = readFileSync(join(import.meta.dirname, '../../../docs/diff.md'), 'utf8')
    const told = [...page.matchAll(/^\| `([a-z-]+)` \| (breaks|keeps) \|/gm)].map(
      ([, code, verdict]) => `${verdict} ${code}`,
    )
    const base = baseDocument()
    const known = rows.flatMap(({ there, back }) => [...there, ...back])
    expect(told.map((line) => line.split(' ')[1]).sort()).toEqual([...changeCodes].sort())
    for (const line of known) expect(told).toContain(line)
    expect(changesOf(base, base)).toEqual([])
  })
})

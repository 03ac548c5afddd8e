import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { verdictOf } from '../src/diff/code.ts'
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

describe('docs/diff.md', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/diff.md'), 'utf8')
  const [, codes = '', differences = ''] = page.split(/^## (?:Codes|Where oasdiff judges otherwise)$/m)
  const linesOf = (part: string) => [
    ...part.matchAll(/^\| `([a-z-]+)` \| (breaks|keeps) \| (ERR|WARN|INFO|–) \| (.+) \|$/gm),
  ]

  it('tells every code with its verdict and its reason', () => {
    const told = linesOf(codes).map(([, code, verdict, , why]) => `${verdict} ${code}: ${why}`)
    const known = changeCodes.map((code) => {
      const { isBreaking, why } = verdictOf(code)
      return `${isBreaking ? 'breaks' : 'keeps'} ${code}: ${why}`
    })
    expect(told).toEqual(known)
  })

  it('explains every verdict that is not that of oasdiff', () => {
    const differ = linesOf(codes).filter(([, , verdict, level]) => {
      return verdict === 'breaks' ? level !== 'ERR' : level === 'ERR' || level === 'WARN'
    })
    const shown = (lines: readonly RegExpMatchArray[]) => lines.map((line) => line.slice(1, 4).join(' '))
    expect(shown(linesOf(differences))).toEqual(shown(differ))
    expect(differ.length).toBeGreaterThan(0)
  })

  it('has no code that the table of single changes or the tests of versions do not know', () => {
    const known = new Set(rows.flatMap(({ there, back }) => [...there, ...back]).map((line) => line.split(' ')[1]))
    const rest = changeCodes.filter((code) => !known.has(code) && !/^(version|sunset)-/.test(code))
    expect(rest).toEqual(['path-parameter-renamed'])
  })
})

import { describe, expect, it } from 'vitest'
import { rules } from '../src/index.ts'
import { linted } from './linted.ts'

describe('the explanations of the rules', () => {
  // A document does not have the noun of a reference.
  it.each(rules.filter(({ code }) => code !== 'hidden-reference'))(
    'have a bad example that breaks $code, and a good one that does not',
    async ({ code, explanation }) => {
      const broken = async (paths: string) => {
        const indented = paths.replaceAll('…', '{ responses: { 200: {} } }').replaceAll(/^/gm, '  ')
        const text = `openapi: 3.1.0\ninfo: { title: t, version: '1' }\npaths:\n${indented}\n`
        return (await linted(text)).findings.some((finding) => finding.code === code)
      }
      expect([await broken(explanation.bad), await broken(explanation.good)]).toEqual([true, false])
    },
  )

  it('do not repeat the rule', () => {
    const words = (text: string): readonly string[] => text.toLowerCase().match(/[a-z]+/g) ?? []
    const overlapping = rules.filter(({ about, explanation: { text } }) => {
      const first = words(text.split('. ')[0] ?? '')
      return words(about).filter((word) => !first.includes(word)).length <= 1
    })
    expect(overlapping.map(({ code }) => code)).toEqual([])
  })
})

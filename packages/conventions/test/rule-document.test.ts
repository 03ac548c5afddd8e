import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { rules } from '../src/index.ts'
import { linted } from './linted.ts'

const page = (name: string) => readFileSync(new URL(`../../../docs/${name}`, import.meta.url), 'utf8')

describe('the documents of the rules', () => {
  it('explain each rule, in the order of the rules, with its severity', () => {
    const explained = [...page('lint-rules.md').matchAll(/^## (\S+)\n\n(Error|Warning)\. /gm)].map(
      ([, code, severity]) => [code, severity?.toLowerCase()],
    )
    expect(explained).toEqual(rules.map(({ code, severity }) => [code, severity]))
  })

  it('have the same text and examples as the command', () => {
    const text = page('lint-rules.md')
    for (const { code, explanation } of rules) {
      const begin = text.indexOf(`## ${code}\n`)
      const section = text.slice(begin, text.indexOf('\n```\n', begin))
      const [, paragraph = '', bad, good] =
        /\n\n(?:Error|Warning)\. ([\s\S]*?)\n\n```yaml\n# bad\n([\s\S]*?)\n# good\n([\s\S]*)$/.exec(section) ?? []
      expect({ text: paragraph.replaceAll('\n', ' '), bad, good }, code).toEqual(explanation)
    }
  })

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

  it('list each rule with its convention', () => {
    const listed = page('lint-rules.md').match(/^\| \[`.*$/gm)
    expect(listed).toEqual(
      rules.map(({ code, severity, about }) => `| [\`${code}\`](#${code}) | ${severity} | ${about} |`),
    )
  })
})

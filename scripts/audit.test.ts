import { expect, it } from 'vitest'
import { evaluateAudit } from './audit.ts'

const report = (severity: string) =>
  JSON.stringify({ vulnerabilities: { left: { name: 'left', severity }, right: { name: 'right', severity: 'low' } } })

it('fails on high and critical vulnerabilities, and lists the packages', () => {
  expect(evaluateAudit(report('high'))).toMatchObject({ isFailed: true, text: expect.stringContaining('left (high).') })
  expect(evaluateAudit(report('critical')).isFailed).toBe(true)
})

it('passes lower severities', () => {
  expect(evaluateAudit(report('moderate'))).toMatchObject({
    isFailed: false,
    text: expect.stringContaining('2 others'),
  })
  expect(evaluateAudit('{"vulnerabilities":{}}').isFailed).toBe(false)
})

it('does not fail if the registry does not respond', () => {
  for (const output of ['', '<html>', '{"error":{"summary":"405"}}', '{"message":"request failed"}']) {
    const { isFailed, text } = evaluateAudit(output)
    expect(isFailed).toBe(false)
    expect(text).toMatch(/^Not audited: /)
  }
})

import { expect, it } from 'vitest'
import { verdictOn } from './audit.ts'

const report = (severity: string) =>
  JSON.stringify({ vulnerabilities: { left: { name: 'left', severity }, right: { name: 'right', severity: 'low' } } })

it('fails on what is high or critical, by name', () => {
  expect(verdictOn(report('high'))).toMatchObject({ isFailed: true, text: expect.stringContaining('left (high).') })
  expect(verdictOn(report('critical')).isFailed).toBe(true)
})

it('passes what is of lesser weight', () => {
  expect(verdictOn(report('moderate'))).toMatchObject({ isFailed: false, text: expect.stringContaining('2 of lesser') })
  expect(verdictOn('{"vulnerabilities":{}}').isFailed).toBe(false)
})

it('says that it has no verdict where the registry cannot be asked', () => {
  for (const output of ['', '<html>', '{"error":{"summary":"405"}}', '{"message":"request failed"}']) {
    const { isFailed, text } = verdictOn(output)
    expect(isFailed).toBe(false)
    expect(text).toMatch(/^Not audited: /)
  }
})

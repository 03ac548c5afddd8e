// The idempotency key of an import, kept in the browser.
import { expect, it, onTestFinished, vi } from 'vitest'
import { importKey } from './import-key.ts'

function stubStorage(storage: object): void {
  vi.stubGlobal('localStorage', storage)
  onTestFinished(() => void vi.unstubAllGlobals())
}

it('stays the same until the import of the file is finished', () => {
  const stored = new Map<string, string>()
  stubStorage({
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => stored.set(name, value),
    removeItem: (name: string) => stored.delete(name),
  })
  const first = importKey('/user', 'a')
  first.store()
  expect(importKey('/user', 'a')).toMatchObject({ key: first.key, isResumed: true })
  expect(importKey('/user', 'b')).toMatchObject({ isResumed: false })
  first.remove()
  expect([importKey('/user', 'a').isResumed, stored.size]).toEqual([false, 0])
})

it('does not stop an import if the browser stores nothing', () => {
  const fail = () => {
    throw new Error('The quota is exceeded.')
  }
  stubStorage({ getItem: fail, setItem: fail, removeItem: fail })
  const key = importKey('/user', 'a')
  expect(key.isResumed).toBe(false)
  key.store()
  key.remove()
})

/** The behavior that every store must have, under any names; it runs unchanged on each database. */
import { describe } from 'vitest'
import { listSuite } from './store/list-suite.ts'
import { recordSuite } from './store/record-suite.ts'
import { rejectedWriteSuite } from './store/rejected-write-suite.ts'
import { type StoreUnderTest, storeTest } from './store/store-test.ts'

export function storeSuite(name: string, prepare: () => Promise<StoreUnderTest>): void {
  describe(name, () => {
    const test = storeTest(prepare)
    recordSuite(test)
    rejectedWriteSuite(test)
    listSuite(test)
  })
}

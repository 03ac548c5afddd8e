/** The entry point of @nomen/core/mocks: MSW handlers that serve mock data. */
export { type Collection, type CollectionOptions, collection } from './collection.ts'
export { type Collections, type Mocks, type MocksOptions, mocks } from './mocks.ts'
export { type DataOf, type MocksOf, mocksOf } from './mocks-of.ts'

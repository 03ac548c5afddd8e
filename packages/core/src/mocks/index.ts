/** The public door of @nomen/core/mocks: data on the screen before there is a service. */
export { type Collection, type CollectionOptions, collection } from './collection.ts'
export { type Collections, type Mocks, type MocksOptions, mocks } from './mocks.ts'
export { type DataOf, type MocksOf, mocksOf } from './mocks-of.ts'

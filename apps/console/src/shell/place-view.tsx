/** The view of a place. What is not needed for the first one is fetched when it is. */
import { Center, Loader, Stack, Text, Title } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { ListView } from '../list/list-view.tsx'
import type { Place } from '../model/address.ts'
import { Boundary } from '../view/boundary.tsx'
import { Link } from '../view/link.tsx'

const RecordView = lazy(async () => ({ default: (await import('../record/record-view.tsx')).RecordView }))
const CreateView = lazy(async () => ({ default: (await import('../record/create-view.tsx')).CreateView }))
const UsageView = lazy(() => import('../usage/usage-view.tsx'))
const OperationsView = lazy(() => import('../action/operations-view.tsx'))

export function PlaceView({ place }: { readonly place: Place }) {
  const key = 'collection' in place ? `${place.collection.key} ${place.ids}` : place.kind
  return (
    <Boundary key={key}>
      <Suspense
        fallback={
          <Center py="xl">
            <Loader size="sm" aria-label="Loading" role="status" />
          </Center>
        }
      >
        <At place={place} />
      </Suspense>
    </Boundary>
  )
}

function At({ place }: { readonly place: Place }) {
  switch (place.kind) {
    case 'empty':
      return <Text>The documents of this service have no list.</Text>
    case 'usage':
      return <UsageView />
    case 'operations':
      return <OperationsView />
    case 'list': {
      const { collection, variant, ids } = place
      const { parent } = collection
      // A list below a record is a tab of that record.
      if (parent)
        return <RecordView key={`${parent.key} ${ids}`} collection={parent} ids={ids} child={{ collection, variant }} />
      return <ListView key={collection.key} collection={collection} variant={variant} ids={ids} />
    }
    case 'record':
      return <RecordView key={`${place.collection.key} ${place.ids}`} collection={place.collection} ids={place.ids} />
    case 'create':
      return <CreateView key={`${place.collection.key} ${place.ids}`} collection={place.collection} ids={place.ids} />
    case 'unknown':
      return <Nothing path={place.path} />
  }
}

function Nothing({ path }: { readonly path: string }) {
  return (
    <Stack>
      <Title order={1} size="h3">
        There is nothing at {path}
      </Title>
      <Text size="sm">
        The service has no such noun. <Link to="/">To the first one</Link>
      </Text>
    </Stack>
  )
}

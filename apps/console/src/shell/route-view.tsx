/** The view of a URL. Views other than the list are loaded when they are needed. */
import { Center, Loader, Stack, Text, Title } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { text } from '../language/language.ts'
import { ListView } from '../list/list-view.tsx'
import type { Route } from '../model/route.ts'
import { Boundary } from '../view/boundary.tsx'
import { Link } from '../view/link.tsx'

const RecordView = lazy(async () => ({ default: (await import('../record/record-view.tsx')).RecordView }))
const CreateView = lazy(async () => ({ default: (await import('../record/create-view.tsx')).CreateView }))
const OverviewView = lazy(() => import('../overview/overview-view.tsx'))
const SchemaView = lazy(() => import('../schema/schema-view.tsx'))
const UsageView = lazy(() => import('../usage/usage-view.tsx'))
const OperationsView = lazy(() => import('../action/operations-view.tsx'))

export function RouteView({ route }: { readonly route: Route }) {
  const key = 'collection' in route ? `${route.collection.key} ${route.ids}` : route.kind
  return (
    <Boundary key={key}>
      <Suspense
        fallback={
          <Center py="xl">
            <Loader size="sm" aria-label={text().common.loading} role="status" />
          </Center>
        }
      >
        <ViewOf route={route} />
      </Suspense>
    </Boundary>
  )
}

function ViewOf({ route }: { readonly route: Route }) {
  switch (route.kind) {
    case 'overview':
      return <OverviewView />
    case 'schema':
      return <SchemaView />
    case 'usage':
      return <UsageView />
    case 'operations':
      return <OperationsView />
    case 'list': {
      const { collection, variant, ids } = route
      const { parent } = collection
      // A child list is a tab of its record.
      if (parent)
        return <RecordView key={`${parent.key} ${ids}`} collection={parent} ids={ids} child={{ collection, variant }} />
      return <ListView key={collection.key} collection={collection} variant={variant} ids={ids} />
    }
    case 'record':
      return <RecordView key={`${route.collection.key} ${route.ids}`} collection={route.collection} ids={route.ids} />
    case 'create':
      return <CreateView key={`${route.collection.key} ${route.ids}`} collection={route.collection} ids={route.ids} />
    case 'unknown':
      return <NotFound path={route.path} />
  }
}

function NotFound({ path }: { readonly path: string }) {
  return (
    <Stack>
      <Title order={1} size="h3">
        {text().shell.notFoundTitle}
      </Title>
      <Text size="sm">
        {text().shell.notFound(path)}{' '}
        <Link to="/" underline="always">
          {text().shell.goTo(text().common.overview)}
        </Link>
      </Text>
    </Stack>
  )
}

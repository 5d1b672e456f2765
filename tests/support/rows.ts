type Row<T> = readonly [name: string, value: T, what: string, fix: string]

/** The rows of a table by keys `name ⇒ what is said of it ⇒ what its fix names`, of which the first is enough. */
export const rows = <T>(table: Readonly<Record<string, T>>): readonly Row<T>[] =>
  Object.entries(table).map(([key, value]) => {
    const [name, what = '', fix = ''] = key.split(' ⇒ ') as [string, string?, string?]
    return [name, value, what, fix]
  })

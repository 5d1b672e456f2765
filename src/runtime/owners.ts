/** What a device's memory is used for, by name. */

/** Bytes in use for one purpose. */
export interface OwnedBytes {
  readonly name: string
  bytes: number
}

export class Owners {
  readonly #owners = new Map<string, OwnedBytes>()

  /** The counter of `name`; users of memory add to it. */
  get(name: string): OwnedBytes {
    let owner = this.#owners.get(name)
    if (owner === undefined) {
      owner = { name, bytes: 0 }
      this.#owners.set(name, owner)
    }
    return owner
  }

  /** Those that hold memory, the largest first. */
  list(): { owner: string; bytes: number }[] {
    return [...this.#owners.values()]
      .filter(({ bytes }) => bytes > 0)
      .map(({ name, bytes }) => ({ owner: name, bytes }))
      .sort((a, b) => b.bytes - a.bytes)
  }
}

/**
 * Names of registers and labels in a kernel. Every value has its own registers (the driver's assembler allocates the physical
 * ones), named after the value: %x, %sum2; a vector's are %x_0, %x_1, … To avoid clashes between the two, no other name ends
 * in an underscore and digits.
 */

/** Register kinds by width: PTX's untyped registers hold every type of their size, so bitcasts are free. */
export type RegisterKind = 'pred' | 'b16' | 'b32' | 'b64'

/** Name prefixes of registers for intermediate values. */
const temporaries: Readonly<Record<RegisterKind, string>> = { pred: 'p', b16: 'h', b32: 'r', b64: 'd' }

/** Names that PTX reserves for its own registers. */
const predefined =
  `tid ntid laneid warpid nwarpid ctaid nctaid smid nsmid gridid clock clock_hi clock64 globaltimer globaltimer_lo
  globaltimer_hi total_smem_size aggr_smem_size dynamic_smem_size current_graph_exec clusterid nclusterid cluster_ctaid
  cluster_nctaid cluster_ctarank cluster_nctarank is_explicit_cluster lanemask_eq lanemask_le lanemask_lt lanemask_ge
  lanemask_gt`.split(/\s+/)
const predefinedFamily = /^(pm\d+(_64)?|envreg\d+|reserved_smem_offset.*)$/

const lineWidth = 116

export class Registers {
  readonly #taken = new Set<string>([...predefined, ...Object.values(temporaries)])
  readonly #next = new Map<string, number>()
  readonly #declared: Record<RegisterKind, string[]> = { pred: [], b16: [], b32: [], b64: [] }
  readonly #temporaries: Record<RegisterKind, number> = { pred: 0, b16: 0, b32: 0, b64: 0 }

  /** A register named like `hint`. */
  one(kind: RegisterKind, hint: string): string {
    const name = this.#fresh(identifier(hint))
    this.#declared[kind].push(`%${name}`)
    return `%${name}`
  }

  /** Registers of a vector's parts. */
  many(kind: RegisterKind, hint: string, count: number): string[] {
    if (count === 1) return [this.one(kind, hint)]
    const name = this.#fresh(identifier(hint))
    this.#declared[kind].push(`%${name}_<${count}>`)
    return Array.from({ length: count }, (_, i) => `%${name}_${i}`)
  }

  temporary(kind: RegisterKind): string {
    return `%${temporaries[kind]}_${this.#temporaries[kind]++}`
  }

  /** A name for a label or a variable. */
  label(hint: string): string {
    return this.#fresh(identifier(hint))
  }

  /** The lines that declare all registers so far. */
  declarations(): string[] {
    return (Object.keys(this.#declared) as RegisterKind[]).flatMap(kind => {
      const count = this.#temporaries[kind]
      const shared = count === 0 ? [] : [`%${temporaries[kind]}_<${count}>`]
      return wrapped(`.reg .${kind} `, [...this.#declared[kind], ...shared])
    })
  }

  #fresh(base: string): string {
    let name = base
    for (let n = this.#next.get(base) ?? 2; this.#taken.has(name) || predefinedFamily.test(name); n++) {
      name = `${base}${n}`
      this.#next.set(base, n + 1)
    }
    this.#taken.add(name)
    return name
  }
}

/** Letters, digits and underscores; begins with a letter and does not end like a vector's part. */
export function identifier(name: string): string {
  const clean = name
    .replace(/[^A-Za-z0-9_]+/g, '_')
    .replace(/_+(\d+)$/, '$1')
    .replace(/_+$/, '')
  return /^[A-Za-z]/.test(clean) ? clean : `v${clean}`
}

/** A declaration of names, split into lines of limited width. */
function wrapped(head: string, names: readonly string[]): string[] {
  const lines: string[] = []
  let line = ''
  for (const name of names) {
    if (line !== '' && head.length + line.length + name.length > lineWidth) {
      lines.push(`${head}${line};`)
      line = ''
    }
    line += line === '' ? name : `, ${name}`
  }
  return line === '' ? lines : [...lines, `${head}${line};`]
}

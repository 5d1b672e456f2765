/** Data sets for worker threads: `get` of the number i gives its square. */
const table = new Float32Array([7, 8, 9])

const bytes = Buffer.alloc(20000, 7)

export default function squares(args = {}) {
  const { length = 10, bad = -1, slow = -1, kind = 'numbers' } = args
  return {
    length,
    async get(index) {
      if (index === bad) throw new RangeError(`sample ${index} is damaged`)
      if (index === slow) await new Promise(resolve => setTimeout(resolve, 30))
      if (kind === 'buffer') return bytes.subarray(index, index + 2)
      if (kind === 'class') return new Map([[index, 1]])
      if (kind === 'exit') process.exit(3)
      return { x: Float32Array.of(index, index * index), y: BigInt(index), table, name: `digit ${index}` }
    },
  }
}

export const nothing = () => 3

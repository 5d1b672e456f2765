/** `tegula/nn`: building blocks of neural networks, written as ordinary tensor code. */
export * as functional from './functional.js'

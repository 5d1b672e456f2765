/**
 * Instances that stay. At a full garbage collection V8 forgets the hidden class of a class without living instances, and drops
 * all code that it had optimised for it: calls are then ten times slower until they have been optimised again. So classes
 * whose instances come and go with each call keep one.
 */
const residents: object[] = []

/** Keeps an instance, which refers to nothing large, as long as the process. */
export function keepInstance(instance: object): void {
  residents.push(instance)
}

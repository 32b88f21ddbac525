/** The displayed name of the product; docs/releasing.md lists the other places of the name. */
export const PRODUCT = 'Sightline';

/** The server's program, and the Python package that `python -m` runs. */
export const PROGRAM = 'sightline';

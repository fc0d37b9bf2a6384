/** How jobs get a variable of CI, for a `Choice`. */
export const variableTypes = [
  { value: 'env_var', label: 'Variable' },
  { value: 'file', label: 'File: the variable is the path of a file with the value' },
];

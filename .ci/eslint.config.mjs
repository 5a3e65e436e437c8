/* The scripts of the viewer share one scope in the page: tsc checks the names between them, ESLint each file alone. */
import { createRequire } from "node:module";

// ESLint stands in a temporary folder (see .ci/javascript), which an import of this file would not find.
const js = createRequire(`${process.env.ESLINT_HOME}/`)("@eslint/js");

export default [
  js.configs.recommended,
  {
    languageOptions: { ecmaVersion: 2022, sourceType: "script" },
    rules: {
      "no-undef": "off",
      "no-control-regex": "off",
      "no-unused-vars": ["error", { vars: "local", argsIgnorePattern: "^_" }],
      "no-var": "error",
      "prefer-const": ["error", { destructuring: "all" }],
      "eqeqeq": "error",
      "no-implicit-coercion": "error",
      "no-eval": "error",
      "no-implied-eval": "error",
      "no-shadow-restricted-names": "error",
    },
  },
];

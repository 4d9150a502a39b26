import { createRequire } from "node:module";

// ESLint is not installed beside this file: its own rules are those that came with the program that runs.
const js = createRequire(process.argv[1])("@eslint/js");

// Names are the compiler's work (`make types-js`), line breaks are Prettier's.
// eslint-disable-next-line no-restricted-syntax -- ESLint asks for it
export default [
  js.configs.recommended,
  {
    languageOptions: { ecmaVersion: 2024, sourceType: "module" },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "no-undef": "off",
      "no-unused-vars": ["error", { varsIgnorePattern: "^_+$", argsIgnorePattern: "^_+$" }],
      "no-control-regex": "off", // texts of logs are searched for them
      "array-callback-return": "error",
      eqeqeq: ["error", "always", { null: "ignore" }],
      "no-else-return": "error",
      "no-eval": "error",
      "no-implied-eval": "error",
      "no-lonely-if": "error",
      "no-new-func": "error",
      "no-self-compare": "error",
      "no-throw-literal": "error",
      "no-unneeded-ternary": "error",
      "no-useless-computed-key": "error",
      "no-useless-concat": "error",
      "no-useless-rename": "error",
      "no-useless-return": "error",
      "no-var": "error",
      "object-shorthand": ["error", "always"],
      "prefer-const": "error",
      "prefer-object-spread": "error",
      "prefer-promise-reject-errors": "error",
      "prefer-template": "error",
      // Nothing that a log contains is read as HTML.
      "no-restricted-syntax": ["error", "ExportDefaultDeclaration"],
      "no-restricted-properties": [
        "error",
        { object: "document", property: "write" },
        ...["innerHTML", "outerHTML", "insertAdjacentHTML", "setHTMLUnsafe", "createContextualFragment"].map(
          (property) => ({
            property,
            message:
              "Texts come from logs: give them to html() or svg() of draw/element.js, which never read them as HTML.",
          }),
        ),
      ],
    },
  },
];

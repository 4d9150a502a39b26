"""Where in a document of others a tree lies, and how its nodes hold or name one another."""

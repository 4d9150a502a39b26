"""Games that a person plays against an agent: what is kept on disk, who answers, and why it answered so."""

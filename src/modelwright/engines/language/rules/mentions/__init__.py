"""What a question speaks of: columns, values and tables where its words stand."""

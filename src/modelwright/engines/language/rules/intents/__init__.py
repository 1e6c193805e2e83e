"""What an intent wants predicted: the column and the kind of task."""
